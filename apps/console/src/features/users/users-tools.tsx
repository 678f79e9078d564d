import { ActionIcon, Button } from '@mantine/core';
import { IconChartDonut, IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { LazyMenu } from '../../patterns/lazy-menu/lazy-menu.tsx';
import { exportAddress } from './export-address.ts';

const loadCsvMenu = () => import('./csv-menu-items.tsx');
const CsvMenuItems = lazy(async () => ({ default: (await loadCsvMenu()).CsvMenuItems }));
const SignupStatisticsDialog = lazy(async () => ({
  default: (await import('./signup-statistics-dialog.tsx')).SignupStatisticsDialog,
}));
const ImportUsersModal = lazy(async () => ({ default: (await import('./import-users-modal.tsx')).ImportUsersModal }));

/** The buttons beside the title: statistics, import and export. */
export function UsersTools() {
  const network = useAdminNetwork();
  const [params] = useSearchParams();
  const [opened, setOpened] = useState<'statistics' | 'import'>();
  const close = () => setOpened(undefined);
  return (
    <>
      <ActionIcon
        variant="default"
        size={42}
        radius="md"
        aria-label="Signup statistics"
        title="Signup statistics"
        onClick={() => setOpened('statistics')}
      >
        <IconChartDonut size={19} stroke={1.8} />
      </ActionIcon>
      <LazyMenu
        load={loadCsvMenu}
        renderButton={(opener) => (
          <Button {...opener} variant="default" rightSection={<IconChevronDown size={16} />}>
            CSV
          </Button>
        )}
      >
        {(target) => (
          <CsvMenuItems
            target={target}
            exportAddress={exportAddress(network, params)}
            onImport={() => setOpened('import')}
          />
        )}
      </LazyMenu>
      <Suspense>
        {opened === 'statistics' && <SignupStatisticsDialog onClose={close} />}
        {opened === 'import' && <ImportUsersModal onClose={close} />}
      </Suspense>
    </>
  );
}
