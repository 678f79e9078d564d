import { Button, Menu } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { Filter } from './list-description.ts';

type FilterMenuProps = {
  filters: readonly Filter[];
  chosen: Readonly<Record<string, string>>;
  onChoose: (id: string, value: string) => void;
};

export function FilterMenu({ filters, chosen, onChoose }: FilterMenuProps) {
  return (
    <Menu position="bottom-start" width={220} withinPortal={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconFilter size={17} stroke={1.8} />}>
          filter by
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {filters.map(({ id, label, options }, index) => (
          <Fragment key={id}>
            {index > 0 && <Menu.Divider />}
            <Menu.Label>{label}</Menu.Label>
            <Menu.RadioGroup value={chosen[id] ?? ''} onChange={(value) => onChoose(id, value)}>
              {options.map((option) => (
                <Menu.RadioItem key={option.value} value={option.value}>
                  {option.label}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
