import { UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { nameOfDays } from '../../date-range/days.ts';
import { fullTime } from '../../format/format.ts';
import type { Filter } from '../model/list-description.ts';
import classes from './filter-pills.module.css';

type FilterPillsProps = {
  filters: readonly Filter[];
  chosen: Readonly<Record<string, string>>;
  onRemove: (id: string) => void;
};

const textOf = (filter: Filter, value: string): string => {
  if ('options' in filter) return filter.options.find((option) => option.value === value)?.label ?? value;
  if (filter.kind === 'since') return `Since ${fullTime(value)}`;
  return filter.kind === 'range' ? nameOfDays(value) : value;
};

/** The active filters. A click removes one. */
export function FilterPills({ filters, chosen, onRemove }: FilterPillsProps) {
  const pills = filters.flatMap((filter) => {
    const value = chosen[filter.id];
    return value ? [{ id: filter.id, label: filter.label, value: textOf(filter, value) }] : [];
  });
  return pills.map(({ id, label, value }) => (
    <UnstyledButton
      key={id}
      className={classes.pill}
      aria-label={`Remove the filter ${label}: ${value}`}
      onClick={() => onRemove(id)}
    >
      {value}
      <IconX size={14} stroke={2} aria-hidden="true" />
    </UnstyledButton>
  ));
}
