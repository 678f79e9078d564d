import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { Link, Outlet, useParams } from 'react-router';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { ColourField } from '../colour-field/colour-field.tsx';
import { useDocumentTitle } from '../page/use-document-title.ts';
import { PanelFooter } from './panel-footer.tsx';
import { SidePanel } from './side-panel.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

function Panel() {
  const [text, setText] = useState('');
  return (
    <SidePanel
      closeTo="/labs"
      plate="R"
      name="Reports"
      state="Open"
      tabs={[
        { label: 'Details', to: '/labs/1/details' },
        { label: 'Groups', to: '/labs/1/groups' },
      ]}
    >
      <input aria-label="Name" value={text} onChange={(event) => setText(event.target.value)} />
      <ColourField label="Colour" value="" onChange={() => {}} />
      <UnsavedGuard active={text !== ''} />
    </SidePanel>
  );
}

const open = (address = '/labs/1/details?search=re') =>
  renderScreen(
    {
      element: <Outlet />,
      children: [
        { path: '/labs', element: 'the list' },
        { path: '/labs/1/:tab', Component: Panel },
      ],
    },
    address,
  ).router;

test('side panel: the focus moves to its heading', async () => {
  open();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Reports'));
  expect(screen.getByRole('dialog', { name: 'Reports' })).toBeDefined();
});

test('side panel: the focus moves to its heading too if the link to another view of the panel is gone', async () => {
  function Views() {
    const { tab } = useParams();
    return (
      <SidePanel closeTo="/labs" plate="R" name="Reports">
        {tab === 'groups' ? <Link to="/labs/1/assign">assign groups</Link> : <input aria-label="Search" />}
      </SidePanel>
    );
  }
  renderScreen({ path: '/labs/1/:tab', Component: Views }, '/labs/1/groups');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Reports'));
  await userEvent.tab();
  await userEvent.click(screen.getByRole('link', { name: 'assign groups' }));
  await screen.findByRole('textbox', { name: 'Search' });
  expect(document.activeElement?.textContent).toBe('Reports');
});

test('§2.1 side panel: closing returns to its list route, with the search of the list', async () => {
  const router = open();
  await userEvent.click(screen.getByRole('button', { name: 'Close the panel' }));
  expect(await screen.findByText('the list')).toBeDefined();
  expect(router.state.location).toMatchObject({ pathname: '/labs', search: '?search=re' });
});

test('side panel: tabs that do not fit are marked, so that people see that more follow', async () => {
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(640);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360);
  open();
  const tabs = await screen.findByRole('navigation', { name: 'Reports sections' });
  expect(tabs.hasAttribute('data-more-after')).toBe(true);
  expect(tabs.hasAttribute('data-more-before')).toBe(false);
  tabs.scrollLeft = 280;
  tabs.dispatchEvent(new Event('scroll'));
  expect(tabs.hasAttribute('data-more-after')).toBe(false);
  expect(tabs.hasAttribute('data-more-before')).toBe(true);
  vi.restoreAllMocks();
});

test("§2.1 side panel: the browser's tab has the name of the record while the panel is open", async () => {
  function Root() {
    useDocumentTitle();
    return <Outlet />;
  }
  const { router } = renderScreen(
    {
      element: <Root />,
      children: [
        { path: '/labs', element: 'the list', handle: { title: 'Labs · northlab' } },
        { path: '/labs/1/:tab', Component: Panel, handle: { title: 'Lab · northlab' } },
      ],
    },
    '/labs/1/details',
  );
  await waitFor(() => expect(document.title).toBe('Reports · Lab · northlab · OpenSocial'));
  await router.navigate('/labs');
  await waitFor(() => expect(document.title).toBe('Labs · northlab · OpenSocial'));
});

test('side panel: Escape closes it', async () => {
  const router = open();
  await userEvent.click(screen.getByRole('textbox', { name: 'Name' }));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/labs'));
});

test('side panel: Escape right after a popover was opened in it does not close it', async () => {
  const router = open();
  const button = screen.getByRole('button', { name: /^Colour/ });
  await userEvent.click(button);
  // The popover takes the focus a moment after it is shown.
  button.focus();
  const onMove = vi.fn();
  router.subscribe(onMove);
  await userEvent.keyboard('{Escape}');
  expect(onMove).not.toHaveBeenCalled();
  expect(router.state.location.pathname).toBe('/labs/1/details');
});

test('side panel: tabs are links, and the open tab is marked', async () => {
  const router = open();
  expect(screen.getByRole('link', { name: 'Details' }).getAttribute('aria-current')).toBe('page');
  await userEvent.click(screen.getByRole('link', { name: 'Groups' }));
  await screen.findByRole('link', { name: 'Groups', current: 'page' });
  expect(router.state.location).toMatchObject({ pathname: '/labs/1/groups', search: '?search=re' });
});

test('side panel: asks for confirmation before unsaved input is lost', async () => {
  const router = open();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'New');
  await userEvent.click(screen.getByRole('button', { name: 'Close the panel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(router.state.location.pathname).toBe('/labs/1/details');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('New');
  await userEvent.click(screen.getByRole('button', { name: 'Close the panel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/labs'));
});

test('side panel: a busy footer shows it and acts once', async () => {
  const onAct = vi.fn();
  const panel = (
    <SidePanel closeTo="/labs" plate="R" name="Reports">
      <PanelFooter action="update site" busy onCancel={() => {}} onAct={onAct} />
    </SidePanel>
  );
  renderScreen({ path: '*', element: panel }, '/');
  await userEvent.click(await screen.findByRole('button', { name: 'please wait ....' }));
  expect(onAct).not.toHaveBeenCalled();
});
