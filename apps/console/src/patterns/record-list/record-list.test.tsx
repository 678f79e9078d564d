import { listNetworks, type Network } from '@opensocial/contract';
import { IconTrash } from '@tabler/icons-react';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { call } from '../../api/transport/caller.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { network } from '../../testing/builders.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { type ListDescription, sortText } from './model/list-description.ts';
import { RecordList } from './record-list.tsx';

beforeEach(() => stubLayout());

const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    network({ id: from + index, url: `lab-${String(from + index).padStart(3, '0')}` }),
  );
const page = (data: Network[], all_servers: number) => answer({ data, all_servers });
const at = (what: string, cursor: number) => `GET /server/sso/servers/${what}/${cursor}`;

const onOpen = vi.fn();
const onDelete = vi.fn();
const onLock = vi.fn();
beforeEach(() => void vi.clearAllMocks());

/** Search and filters are part of the path, so that the stub server sees them. */
const list: ListDescription<Network> = {
  label: 'Labs',
  query: ({ search, filters, sort }) => {
    const asked = [search, filters['mode'], sortText(sort, 'name')].filter(Boolean).join('+') || 'all';
    return pagedQuery<Network>({
      queryKey: ['labs', asked],
      page: async (lastid, signal, count) => {
        const { data, all_servers, total_is_minimum } = await call(
          listNetworks,
          { params: { username: count === 'only' ? `total-${asked}` : asked, lastid } },
          signal,
        );
        return { rows: data, total: all_servers, isMinimum: total_is_minimum === true };
      },
    });
  },
  columns: [{ id: 'name', header: 'Name', sortable: true, cell: ({ url }) => url }],
  nameOf: ({ url }) => url,
  count: (loaded, total) => `${loaded} of ${total} labs`,
  emptyHint: 'Make one.',
  filters: [
    {
      kind: 'choice',
      id: 'mode',
      label: 'mode',
      options: [
        { value: 'Open', label: 'Open' },
        { value: 'Closed', label: 'Closed' },
      ],
    },
  ],
  bulk: [
    { label: 'delete', icon: IconTrash, onAct: onDelete },
    { label: 'mark as open', icon: IconTrash, onAct: onOpen, more: true },
  ],
  actions: [{ id: 'lock', icon: () => IconTrash, label: ({ url }) => `Lock ${url}`, onAct: onLock }],
  open: ({ id }) => `/labs/${id}`,
};

const show = (answers: Parameters<typeof stubServer>[0], address = '/labs', changes: Partial<typeof list> = {}) => {
  const asked = stubServer(answers);
  const view = renderScreen({ path: '*', Component: () => <RecordList {...list} {...changes} /> }, address);
  return { asked, router: view.router, paths: () => asked.map(({ path }) => path.split('/').slice(4).join('/')) };
};
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .flatMap((row) => /lab-\d+/.exec(row.textContent ?? '') ?? []);
const scroller = () => screen.getByRole('grid').parentElement as HTMLElement;
const scrollTo = (top: number) => {
  scroller().scrollTop = top;
  fireEvent.scroll(scroller());
};
const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) });

describe('§4 lists: loading', () => {
  test('shows skeleton rows of the final height during loading, and no empty text', async () => {
    show({ [at('all', 0)]: new Promise(() => {}) });
    expect(screen.getByRole('grid', { name: 'Labs' }).getAttribute('aria-busy')).toBe('true');
    expect(screen.getByText('Loading Labs')).toBeDefined();
    expect(screen.queryByText('There is no record in database')).toBeNull();
  });

  test('no row is wider than the visible columns; a phone shows fewer columns', async () => {
    show({ [at('all', 0)]: new Promise(() => {}) });
    expect(screen.getByRole('grid').querySelectorAll('td[colspan]')).toHaveLength(0);
    cleanup();
    queryClient.clear();
    show({ [at('all', 0)]: page(rows(1, 300), 300) });
    await screen.findByText('300 of 300 labs');
    expect(screen.getByRole('grid').querySelectorAll('td[colspan]')).toHaveLength(0);
  });

  test('an empty list shows a text and how to fill it', async () => {
    show({ [at('all', 0)]: page([], 0) });
    expect(await screen.findByText('There is no record in database')).toBeDefined();
    expect(screen.getByText('Make one.')).toBeDefined();
    expect(screen.getByText('0 of 0 labs')).toBeDefined();
  });

  test('a failed load shows the error panel and a toast, and a retry works', async () => {
    show({ [at('all', 0)]: refusal('internal') });
    expect(await screen.findByText(/^Something went wrong with the SSO Server/)).toBeDefined();
    expect(await screen.findByText('Something went wrong on our side.')).toBeDefined();
    stubServer({ [at('all', 0)]: page(rows(1, 3), 3) });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('3 of 3 labs')).toBeDefined();
  });

  test('scrolling renders new visible rows and does not render the others again', async () => {
    const cell = vi.fn(({ url }: Network) => url);
    show({ [at('all', 0)]: page(rows(1, 300), 300) }, '/labs', { columns: [{ id: 'name', header: 'Name', cell }] });
    await screen.findByText('300 of 300 labs');
    cell.mockClear();
    scrollTo(400);
    await screen.findByText('lab-022');
    const drawn = cell.mock.calls.map(([{ url }]) => url);
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(drawn).not.toContain('lab-010');
  });

  test('dragging the scroll bar renders only visible rows, and the overscan when it stops', async () => {
    show({ [at('all', 0)]: page(rows(1, 300), 300) });
    await screen.findByText('300 of 300 labs');
    scrollTo(4_000);
    scrollTo(8_000);
    expect(names()).toContain('lab-168');
    expect(names()).not.toContain('lab-171');
    await screen.findByText('lab-174');
  });

  test('a new page does not render existing rows again', async () => {
    const cell = vi.fn(({ url }: Network) => url);
    const answers = { [at('all', 0)]: page(rows(1, 20), 40), [at('all', 20)]: page(rows(21, 40), 40) };
    show(answers, '/labs', { columns: [{ id: 'name', header: 'Name', cell }] });
    await screen.findByText('20 of 40 labs');
    cell.mockClear();
    scrollTo(20 * 50 - 400);
    await screen.findByText('40 of 40 labs');
    await screen.findByText('lab-021');
    expect(cell.mock.calls.map(([{ url }]) => url)).not.toContain('lab-010');
  });

  test('entirely new rows reuse the elements of the old rows', async () => {
    show({ [at('all', 0)]: page(rows(1, 300), 300) });
    await screen.findByText('300 of 300 labs');
    scrollTo(4_000);
    const former = screen.getByText('lab-085').closest('tr');
    const second = row('lab-082');
    scrollTo(12_000);
    expect(names()).toContain('lab-245');
    expect(former?.isConnected).toBe(true);
    expect(second.textContent).toMatch(/lab-24/);
    expect(within(second).getByRole('link').getAttribute('aria-label')).toMatch(/^Details of lab-24/);
    expect(new Set(names()).size).toBe(names().length);
  });

  test('only visible rows are rendered, and aria-rowcount is the total', async () => {
    show({ [at('all', 0)]: page(rows(1, 300), 300) });
    await screen.findByText('300 of 300 labs');
    expect(names().length).toBeLessThan(40);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('301');
    expect(row('lab-002').getAttribute('aria-rowindex')).toBe('3');
  });
});

describe('§4 lists: infinite scroll', () => {
  test('the next page is requested at the bottom with the last id, until the total is reached', async () => {
    const { paths } = show({
      [at('all', 0)]: page(rows(1, 20), 50),
      [at('all', 20)]: page(rows(21, 40), 50),
      [at('all', 40)]: page(rows(41, 50), 50),
    });
    await screen.findByText('20 of 50 labs');
    expect(paths()).toEqual(['all/0']);
    scrollTo(20 * 50 - 400 - 6);
    expect(paths()).toEqual(['all/0']);
    scrollTo(20 * 50 - 400 - 5);
    await screen.findByText('40 of 50 labs');
    scrollTo(40 * 50 - 400);
    await screen.findByText('50 of 50 labs');
    scrollTo(50 * 50 - 400);
    expect(paths()).toEqual(['all/0', 'all/20', 'all/40']);
  });

  test('an empty page ends the list, whatever the total says', async () => {
    const { paths } = show({ [at('all', 0)]: page(rows(1, 2), 9), [at('all', 2)]: page([], 9) });
    await waitFor(() => expect(paths()).toEqual(['all/0', 'all/2']));
    expect(await screen.findByText('2 of 9 labs')).toBeDefined();
    expect(paths()).toHaveLength(2);
  });

  const quick = (data: Network[], all_servers: number) => answer({ data, all_servers, total_is_minimum: true });

  test('rows with a quick total are shown at once, and the complete total follows', async () => {
    const total = Promise.withResolvers<ReturnType<typeof answer>>();
    const answers: Parameters<typeof stubServer>[0] = {
      [at('all', 0)]: quick(rows(1, 20), 20),
      [at('total-all', 0)]: total.promise,
      [at('all', 20)]: quick(rows(21, 40), 20),
    };
    const { paths } = show(answers);
    expect(await screen.findByText('20 of more than 20 labs')).toBeDefined();
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('-1');
    scrollTo(20 * 50 - 400);
    expect(await screen.findByText('40 of more than 40 labs')).toBeDefined();
    total.resolve(page([], 12_345));
    expect(await screen.findByText('40 of 12,345 labs')).toBeDefined();
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('12346');
    expect(paths()).toEqual(['all/0', 'total-all/0', 'all/20']);
    // The next page has a quick total again, and the complete one stays.
    answers[at('all', 40)] = quick(rows(41, 60), 20);
    scrollTo(40 * 50 - 400);
    expect(await screen.findByText('60 of 12,345 labs')).toBeDefined();
    expect(paths()).toHaveLength(4);
  });

  test('of more rows than are counted, the list says so; a total that cannot be counted changes nothing', async () => {
    const answers = { [at('all', 0)]: quick(rows(1, 20), 20), [at('total-all', 0)]: quick([], 100_000) };
    const { paths } = show(answers);
    expect(await screen.findByText('20 of more than 100,000 labs')).toBeDefined();
    expect(paths()).toEqual(['all/0', 'total-all/0']);
    delete (answers as Partial<typeof answers>)[at('total-all', 0)];
    show({ ...answers, [at('x', 0)]: quick(rows(1, 20), 20) }, '/labs?search=x');
    expect(await screen.findByText('20 of more than 20 labs')).toBeDefined();
  });

  test('a deleted cursor row reloads the list from the start', async () => {
    const answers = { [at('all', 0)]: page(rows(1, 20), 40), [at('all', 20)]: refusal('cursor_gone') };
    const { paths } = show(answers);
    await screen.findByText('20 of 40 labs');
    answers[at('all', 0)] = page(rows(5, 9), 5);
    scrollTo(20 * 50 - 400);
    expect(await screen.findByText('5 of 5 labs')).toBeDefined();
    expect(paths()).toEqual(['all/0', 'all/20', 'all/0']);
    expect(screen.queryByText('The list has changed and is being reloaded.')).toBeNull();
  });

  test('a failed next page keeps the rows, shows an error and can be retried', async () => {
    const answers = { [at('all', 0)]: page(rows(1, 20), 40), [at('all', 20)]: refusal('internal') };
    show(answers);
    await screen.findByText('20 of 40 labs');
    scrollTo(20 * 50 - 400);
    expect(await screen.findByText('The next rows could not be loaded.')).toBeDefined();
    answers[at('all', 20)] = page(rows(21, 40), 40);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('40 of 40 labs')).toBeDefined();
  });
});

describe('lists: columns', () => {
  const columns: typeof list.columns = [
    ...list.columns,
    { id: 'number', header: 'Number', cell: ({ id }) => `no. ${id}` },
    { id: 'mode', header: 'Mode', extra: true, cell: () => 'Open' },
  ];
  const showColumns = () =>
    show({ [at('all', 0)]: page(rows(1, 2), 2) }, '/labs', { columns, columnsStoredAs: 'labs' });
  const headers = () =>
    screen
      .getAllByRole('columnheader')
      .flatMap(({ textContent }) => (/Name|Number|Mode/.test(textContent) ? textContent : []));
  const toggle = async (column: string) => userEvent.click(await screen.findByRole('checkbox', { name: column }));
  const openMenu = async () => userEvent.click(await screen.findByRole('button', { name: 'Columns of Labs' }));
  beforeEach(() => localStorage.clear());

  test('are hidden and shown; the browser remembers the choice, and the name is always shown', async () => {
    showColumns();
    await screen.findByText('2 of 2 labs');
    expect(headers()).toEqual(['Name', 'Number']);
    await openMenu();
    expect(screen.queryByRole('checkbox', { name: 'Name' })).toBeNull();
    await toggle('Number');
    await toggle('Mode');
    expect(headers()).toEqual(['Name', 'Mode']);
    expect(screen.queryByText('no. 1')).toBeNull();

    cleanup();
    queryClient.clear();
    showColumns();
    await screen.findByText('2 of 2 labs');
    expect(headers()).toEqual(['Name', 'Mode']);
    await openMenu();
    await userEvent.click(await screen.findByRole('button', { name: 'Show the usual columns' }));
    expect(headers()).toEqual(['Name', 'Number']);
  });

  test('a window with more room shows the extra columns too', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.assign(new EventTarget(), {
        media: query,
        matches: true,
        onchange: null,
        addListener: () => {},
        removeListener: () => {},
      }),
    );
    onTestFinished(() => void vi.restoreAllMocks());
    showColumns();
    await screen.findByText('2 of 2 labs');
    expect(headers()).toEqual(['Name', 'Number', 'Mode']);
  });

  test.each(['{"no":"list"}', 'broken'])('a stored choice that cannot be read (%s) is ignored', async (stored) => {
    localStorage.setItem('opensocial-columns-labs', stored);
    showColumns();
    await screen.findByText('2 of 2 labs');
    expect(headers()).toEqual(['Name', 'Number']);
  });
});

describe('§4 lists: search, filters and sort in the address bar', () => {
  const answers = {
    [at('all', 0)]: page(rows(1, 5), 5),
    [at('05', 0)]: page(rows(5, 5), 1),
    [at('Open', 0)]: page(rows(1, 2), 2),
  };

  test('a search starts at 2 characters; clearing it reloads the full list, even if it is fresh', async () => {
    queryClient.setDefaultOptions({ queries: { retry: false, staleTime: 30_000 } });
    onTestFinished(() => queryClient.setDefaultOptions({ queries: { retry: false } }));
    const { paths, router } = show(answers);
    await screen.findByText('5 of 5 labs');
    const box = screen.getByRole('textbox', { name: 'Search' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fireEvent.change(box, { target: { value: '0' } });
    act(() => void vi.runOnlyPendingTimers());
    vi.useRealTimers();
    await userEvent.type(box, '5 ');
    expect(await screen.findByText('1 of 1 labs')).toBeDefined();
    expect(router.state.location.search).toBe('?search=05');
    expect(paths()).toEqual(['all/0', '05/0']);
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await screen.findByText('5 of 5 labs')).toBeDefined();
    expect(router.state.location.search).toBe('');
    await waitFor(() => expect(paths()).toEqual(['all/0', '05/0', 'all/0']));
  });

  test('a deep link searches, and the back button undoes a search', async () => {
    const { router } = show(answers, '/labs?search=05');
    expect(await screen.findByText('1 of 1 labs')).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('05');
    await userEvent.clear(screen.getByRole('textbox'));
    await screen.findByText('5 of 5 labs');
    await router.navigate(-1);
    expect(await screen.findByText('1 of 1 labs')).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('05');
  });

  test('a search without a match offers to show all', async () => {
    show({ ...answers, [at('zz', 0)]: page([], 0) }, '/labs?search=zz');
    expect(await screen.findByText('There is no record in database')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(await screen.findByText('5 of 5 labs')).toBeDefined();
  });

  test('a filter becomes a pill, and pressing the pill removes it', async () => {
    const { router } = show(answers);
    await screen.findByText('5 of 5 labs');
    await userEvent.click(screen.getByRole('button', { name: 'filter by' }));
    await userEvent.click(await screen.findByRole('radio', { name: 'Open' }));
    expect(await screen.findByText('2 of 2 labs')).toBeDefined();
    expect(router.state.location.search).toBe('?mode=Open');
    await userEvent.click(screen.getByRole('button', { name: 'Remove the filter mode: Open' }));
    expect(await screen.findByText('5 of 5 labs')).toBeDefined();
  });

  test('an unknown filter value is not sent', async () => {
    const { paths } = show(answers, '/labs?mode=Evil');
    await screen.findByText('5 of 5 labs');
    expect(paths()).toEqual(['all/0']);
  });

  test('a column sorts ascending, descending and not at all; the server sorts, and the address contains the order', async () => {
    const { router, paths } = show({
      ...answers,
      [at('name', 0)]: page(rows(1, 5), 5),
      [at('-name', 0)]: page(rows(1, 5).toReversed(), 5),
    });
    await screen.findByText('5 of 5 labs');
    const header = screen.getByRole('columnheader', { name: 'Name' });
    expect(header.getAttribute('aria-sort')).toBe('none');
    await userEvent.click(within(header).getByRole('button'));
    await userEvent.click(within(header).getByRole('button'));
    expect(router.state.location.search).toBe('?sort=-name');
    expect(header.getAttribute('aria-sort')).toBe('descending');
    await waitFor(() => expect(names()).toEqual(['lab-005', 'lab-004', 'lab-003', 'lab-002', 'lab-001']));
    await userEvent.click(within(header).getByRole('button'));
    await waitFor(() => expect(names()[0]).toBe('lab-001'));
    expect(paths().slice(0, 3)).toEqual(['all/0', 'name/0', '-name/0']);
  });

  test('a sorted list is paged in its order, not loaded completely', async () => {
    const sorted = rows(1, 40).toReversed();
    const { paths } = show(
      { [at('-name', 0)]: page(sorted.slice(0, 20), 40), [at('-name', 21)]: page(sorted.slice(20), 40) },
      '/labs?sort=-name',
    );
    await screen.findByText('20 of 40 labs');
    expect(names()[0]).toBe('lab-040');
    expect(paths()).toEqual(['-name/0']);
    scrollTo(10_000);
    await screen.findByText('40 of 40 labs');
    expect(paths()).toEqual(['-name/0', '-name/21']);
  });

  test('an unsortable column in the address sorts nothing', async () => {
    const { paths } = show(answers, '/labs?sort=-url');
    await screen.findByText('5 of 5 labs');
    expect(paths()).toEqual(['all/0']);
  });
});

describe('§2.6 lists: ticks and bulk actions', () => {
  test('bulk actions are enabled only while rows are ticked, and receive those rows', async () => {
    show({ [at('all', 0)]: page(rows(1, 3), 3) });
    await screen.findByText('3 of 3 labs');
    const remove = screen.getByRole<HTMLButtonElement>('button', { name: 'delete' });
    const more = screen.getByRole<HTMLButtonElement>('button', { name: 'more actions' });
    expect([remove.disabled, more.disabled]).toEqual([true, true]);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Tick lab-002' }));
    expect(row('lab-002').getAttribute('aria-selected')).toBe('true');
    await userEvent.click(remove);
    expect(onDelete).toHaveBeenCalledWith([expect.objectContaining({ id: 2 })]);
    await userEvent.click(more);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'mark as open' }));
    expect(onOpen).toHaveBeenCalledOnce();
  });

  test('select-all ticks and unticks every loaded row', async () => {
    show({ [at('all', 0)]: page(rows(1, 3), 3) });
    await screen.findByText('3 of 3 labs');
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Tick all' });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Tick lab-002' }));
    expect(all.indeterminate).toBe(true);
    await userEvent.click(all);
    await userEvent.click(screen.getByRole('button', { name: 'delete' }));
    expect(onDelete.mock.lastCall?.[0]).toHaveLength(3);
    await userEvent.click(all);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'delete' }).disabled).toBe(true);
  });

  test('another search starts without ticks', async () => {
    const { router } = show({ [at('all', 0)]: page(rows(1, 3), 3), [at('lab', 0)]: page(rows(1, 3), 3) });
    await screen.findByText('3 of 3 labs');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Tick all' }));
    await router.navigate('/labs?search=lab');
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'delete' }).disabled).toBe(true));
  });
});

describe('lists: keyboard', () => {
  const shown = async (changes: Partial<typeof list> = {}) => {
    const view = show({ [at('all', 0)]: page(rows(1, 100), 100) }, '/labs', changes);
    await screen.findByText('100 of 100 labs');
    screen.getByRole('textbox').focus();
    await userEvent.keyboard('{ArrowDown}');
    return view;
  };
  const focused = () => /lab-\d+/.exec(document.activeElement?.textContent ?? '')?.[0];

  test('arrow keys move between rows, Home and End move to the ends', async () => {
    await shown();
    expect(focused()).toBe('lab-001');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(focused()).toBe('lab-002');
    await userEvent.keyboard('{End}');
    expect(focused()).toBe('lab-100');
    await userEvent.keyboard('{ArrowDown}');
    expect(focused()).toBe('lab-100');
    await userEvent.keyboard('{Home}');
    expect(focused()).toBe('lab-001');
  });

  test('space ticks, Enter opens and keeps the search of the list', async () => {
    const { router } = await shown();
    await userEvent.keyboard('{ArrowDown} ');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Tick lab-002' }).checked).toBe(true);
    await userEvent.keyboard('{Enter}');
    expect(router.state.location.pathname).toBe('/labs/2');
  });

  test('a key at the end of the list does not move the focus later', async () => {
    await shown();
    await userEvent.keyboard('{ArrowUp}');
    await userEvent.tab();
    await userEvent.keyboard(' ');
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Tick lab-001' });
    expect(box.checked).toBe(true);
    expect(document.activeElement).toBe(box);
  });

  test("Tab moves to the row's own actions; actions of other rows are no tab stops", async () => {
    await shown();
    await userEvent.keyboard('{ArrowDown}');
    await userEvent.tab();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Tick lab-002');
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    expect(onLock).toHaveBeenCalledWith(expect.objectContaining({ id: 2 }));
    expect(screen.getByRole('button', { name: 'Lock lab-003' }).tabIndex).toBe(-1);
  });

  test('an action that opens another address is a link, which the keyboard reaches like the other actions', async () => {
    const access = {
      id: 'access',
      icon: () => IconTrash,
      label: ({ url }: Network) => `Check ${url}`,
      to: ({ id }: Network) => ({ pathname: `/labs/${id}/access`, search: '?search=lab' }),
    };
    const { router } = show({ [at('all', 0)]: page(rows(1, 2), 2) }, '/labs', { actions: [access] });
    await screen.findByText('2 of 2 labs');
    expect(screen.getByRole('link', { name: 'Check lab-002' }).tabIndex).toBe(-1);
    act(() => screen.getByRole('link', { name: 'Check lab-001' }).focus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/labs/1/access'));
    expect(router.state.location.search).toBe('?search=lab');
  });

  test('the focused row stays rendered, however far the list is scrolled', async () => {
    await shown();
    scrollTo(80 * 50);
    await waitFor(() => expect(names()).toContain('lab-085'));
    expect(focused()).toBe('lab-001');
  });
});
