import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconChartDonut, IconChevronDown, IconDownload, IconUpload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { exportAddress } from './export-address.ts';

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
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            CSV
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUpload size={16} stroke={1.8} />} onClick={() => setOpened('import')}>
            Import users
          </Menu.Item>
          <Menu.Item
            component="a"
            href={exportAddress(network, params)}
            download
            leftSection={<IconDownload size={16} stroke={1.8} />}
          >
            Export this list
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {opened === 'statistics' && <SignupStatisticsDialog onClose={close} />}
        {opened === 'import' && <ImportUsersModal onClose={close} />}
      </Suspense>
    </>
  );
}
