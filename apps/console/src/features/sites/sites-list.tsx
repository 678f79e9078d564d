import { Button } from '@mantine/core';
import { type SiteMode, type SiteRow, siteLabel, type UnknownApplication } from '@opensocial/contract';
import { IconLock, IconLockOpen, IconPencil, IconPlugConnected, IconPlus, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link, Outlet, useParams } from 'react-router';
import { toConnect, toSiteDetails } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { ListPage } from '../../patterns/record-list/list-page.tsx';
import { beginList } from '../../patterns/record-list/model/begin-list.ts';
import type { BulkAction, Filter, RowAction } from '../../patterns/record-list/model/list-description.ts';
import { RecordList } from '../../patterns/record-list/record-list.tsx';
import { reloadUnknownApplications } from './diagnosis/diagnosis.api.ts';
import { UnknownApplications } from './diagnosis/unknown-applications.tsx';
import { siteColumns } from './site-columns.tsx';
import { sitesQuery } from './sites.api.ts';

const SiteModal = lazy(async () => ({ default: (await import('./site-modal.tsx')).SiteModal }));
const DeleteSitesDialog = lazy(async () => ({
  default: (await import('./delete-sites-dialog.tsx')).DeleteSitesDialog,
}));
const SiteModeDialog = lazy(async () => ({ default: (await import('./site-mode-dialog.tsx')).SiteModeDialog }));

const filters: readonly Filter[] = [
  { kind: 'choice', id: 'status', label: 'site status', options: optionsOf('Active', 'Disable') },
  { kind: 'choice', id: 'mode', label: 'site mode', options: optionsOf('Open', 'Closed') },
];

function optionsOf(...values: string[]) {
  return values.map((value) => ({ value, label: value }));
}

/** The open dialog. */
type Task =
  | { kind: 'add'; application?: UnknownApplication }
  | { kind: 'parameters'; site: SiteRow }
  | { kind: 'delete'; sites: readonly SiteRow[] }
  | { kind: 'mode'; sites: readonly SiteRow[]; mode: SiteMode };

const otherMode = ({ site_mode }: SiteRow): SiteMode => (site_mode === 'Open' ? 'Closed' : 'Open');

export const beginSitesList = beginList(sitesQuery, filters);

/** §2.6. */
export function SitesList() {
  const network = useAdminNetwork();
  const { site_id } = useParams();
  const [task, setTask] = useState<Task>();
  const columns = useMemo(() => siteColumns(network.name), [network.name]);
  const end = () => {
    // An application that was added is not unknown any more.
    if (task?.kind === 'add') void reloadUnknownApplications(network);
    setTask(undefined);
  };
  return (
    <ListPage
      title="Sites"
      tools={
        <>
          <Button variant="default" leftSection={<IconPlus size={17} />} onClick={() => setTask({ kind: 'add' })}>
            Add New Site
          </Button>
          <Button leftSection={<IconPlugConnected size={17} />} component={Link} to={toConnect(network.name)}>
            Connect an application
          </Button>
        </>
      }
    >
      <UnknownApplications onAdd={(application) => setTask({ kind: 'add', application })} />
      <RecordList
        label="Sites"
        query={(view) => sitesQuery(network, view)}
        columns={columns}
        columnsStoredAs="sites"
        nameOf={siteLabel}
        count={(loaded, total) => `${loaded} of ${total} sites`}
        emptyHint="Add a site with its metadata or its addresses. People can sign in to it immediately."
        filters={filters}
        actions={rowActions(setTask)}
        bulk={bulkActions(setTask)}
        open={(site) => toSiteDetails(network.name, site)}
        current={site_id === undefined ? undefined : Number(site_id)}
        isStopped={({ site_mode }) => site_mode === 'Closed'}
      />
      <Suspense>
        {task?.kind === 'add' && <SiteModal application={task.application} onClose={end} />}
        {task?.kind === 'parameters' && <SiteModal site={task.site} onClose={end} />}
        {task?.kind === 'delete' && <DeleteSitesDialog sites={task.sites} onClose={end} />}
        {task?.kind === 'mode' && <SiteModeDialog sites={task.sites} mode={task.mode} onClose={end} />}
      </Suspense>
      <Outlet />
    </ListPage>
  );
}

const rowActions = (begin: (task: Task) => void): readonly RowAction<SiteRow>[] => [
  {
    id: 'parameters',
    icon: () => IconPencil,
    label: (site) => `Edit SSO parameters of ${siteLabel(site)}`,
    onAct: (site) => begin({ kind: 'parameters', site }),
  },
  {
    id: 'mode',
    icon: ({ site_mode }) => (site_mode === 'Open' ? IconLockOpen : IconLock),
    label: (site) => `mark as ${site.site_mode === 'Open' ? 'close' : 'open'}: ${siteLabel(site)}`,
    onAct: (site) => begin({ kind: 'mode', sites: [site], mode: otherMode(site) }),
  },
  {
    id: 'delete',
    icon: () => IconTrash,
    label: (site) => `Delete ${siteLabel(site)}`,
    onAct: (site) => begin({ kind: 'delete', sites: [site] }),
  },
];

const bulkActions = (begin: (task: Task) => void): readonly BulkAction<SiteRow>[] => [
  { label: 'delete', icon: IconTrash, onAct: (sites) => begin({ kind: 'delete', sites }) },
  {
    label: 'mark as open site',
    icon: IconLockOpen,
    more: true,
    onAct: (sites) => begin({ kind: 'mode', sites, mode: 'Open' }),
  },
  {
    label: 'mark as closed site',
    icon: IconLock,
    more: true,
    onAct: (sites) => begin({ kind: 'mode', sites, mode: 'Closed' }),
  },
  { label: 'remove selected site', icon: IconTrash, more: true, onAct: (sites) => begin({ kind: 'delete', sites }) },
];
