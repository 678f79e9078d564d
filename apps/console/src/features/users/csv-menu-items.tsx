import { Menu } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { OpeningMenu } from '../../patterns/lazy-menu/opening-menu.tsx';

type CsvMenuItemsProps = { target: ReactNode; exportAddress: string; onImport: () => void };

export function CsvMenuItems({ target, exportAddress, onImport }: CsvMenuItemsProps) {
  return (
    <OpeningMenu position="bottom-end" width={220}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUpload size={16} stroke={1.8} />} onClick={onImport}>
          Import users
        </Menu.Item>
        <Menu.Item component="a" href={exportAddress} download leftSection={<IconDownload size={16} stroke={1.8} />}>
          Export this list
        </Menu.Item>
      </Menu.Dropdown>
    </OpeningMenu>
  );
}
