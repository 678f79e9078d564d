import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import { stubLayout } from '../../testing/layout.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { AssignList } from '../assign-list/assign-list.tsx';
import { OneByOneDialog } from '../confirm/one-by-one-dialog.tsx';
import { SidePanel } from '../side-panel/side-panel.tsx';
import { describeEntryEffects } from './entry-effects.ts';

const network = { id: 7, name: 'northlab' };
const path = 'POST /server/sso/group/entry_change/7';
const site = { id: 5, site_name: 'Reports', domain: 'reports.northlab.org' };

describe('§6 who gains or loses access to a site', () => {
  test('is said in one sentence for each site, with the number of people', async () => {
    stubServer({
      [path]: answer({
        total: 3,
        sites: [
          { ...site, effect: 'opened', people: 1_204 },
          { ...site, site_name: site.domain, effect: 'restricted', people: 1 },
        ],
      }),
    });
    expect(await describeEntryEffects(network, { deleted: [3] })).toEqual([
      'Reports (reports.northlab.org) is left without a group, so everybody in the network may enter it. 1,204 people gain access.',
      'reports.northlab.org gets its first group, so only members of its groups may enter it. 1 person loses access.',
      'The same applies to 1 more site.',
    ]);
  });

  test('is not claimed to be nobody if it could not be counted', async () => {
    const uncounted = ['How many people gain or lose access could not be counted.'];
    stubServer({ [path]: refusal('unavailable') });
    expect(await describeEntryEffects(network, { deleted: [3] })).toEqual(uncounted);
    const asked = stubServer({ [path]: answer({ total: 0, sites: [] }) });
    expect(await describeEntryEffects(network, { deleted: Array.from({ length: 1_001 }, () => 3) })).toEqual(uncounted);
    expect(asked).toEqual([]);
    expect(await describeEntryEffects(network, { deleted: [3] })).toEqual([]);
  });

  test('is in the dialog of a deletion before it can be confirmed', async () => {
    let know: (effects: string[]) => void = () => undefined;
    const act = vi.fn(async () => undefined);
    const dialog = (
      <OneByOneDialog
        title="Confirm deleting group"
        text="Are you sure?"
        action="Delete"
        rows={['one']}
        names={['one']}
        effects={() =>
          new Promise((resolve) => {
            know = resolve;
          })
        }
        busyText={String}
        act={act}
        onReload={() => undefined}
        onClose={() => undefined}
      />
    );
    renderScreen({ path: '*', element: dialog }, '/');
    expect(await screen.findByText('Counting who is affected…')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(act).not.toHaveBeenCalled();
    know(['5 people lose access.']);
    expect(await screen.findByText('5 people lose access.')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(act).toHaveBeenCalledOnce());
  });
});

describe('§2.7 §2.9 assigning', () => {
  const show = (effects: readonly string[]) => {
    stubLayout();
    const act = vi.fn(async () => undefined);
    const list = (
      <AssignList
        label="Groups to assign"
        query={() =>
          pagedQuery<{ id: number; name: string }>({
            queryKey: ['groups-to-assign'],
            page: async () => ({ rows: [{ id: 3, name: 'Chemistry' }], total: 1, isMinimum: false }),
          })
        }
        columns={[{ id: 'name', header: 'Name', cell: ({ name }) => name }]}
        nameOf={({ name }) => name}
        count={(loaded, total) => `${loaded} of ${total}`}
        emptyHint=""
        action="assign groups"
        effects={async () => effects}
        act={act}
        onLeave={() => undefined}
      />
    );
    const panel = (
      <SidePanel closeTo="/" plate={null} name="Reports">
        {list}
      </SidePanel>
    );
    renderScreen({ path: '*', element: panel }, '/');
    return act;
  };
  const assign = async () => {
    await userEvent.click(await screen.findByRole('checkbox', { name: /Chemistry/ }));
    await userEvent.click(screen.getByRole('button', { name: 'assign groups' }));
  };

  test('asks first if somebody is affected', async () => {
    const act = show(['5 people lose access.']);
    await assign();
    const dialog = await screen.findByRole('dialog', { name: 'Who is affected' });
    expect(dialog.textContent).toContain('5 people lose access.');
    expect(act).not.toHaveBeenCalled();
    await userEvent.click(within(dialog).getByRole('button', { name: 'assign groups' }));
    await waitFor(() => expect(act).toHaveBeenCalledOnce());
  });

  test('does not ask if nobody is', async () => {
    const act = show([]);
    await assign();
    await waitFor(() => expect(act).toHaveBeenCalledOnce());
    expect(screen.queryByRole('dialog', { name: 'Who is affected' })).toBeNull();
  });
});
