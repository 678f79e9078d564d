import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { RecordSelect } from './record-select.tsx';

const rows = [
  { id: 1, name: 'Ana' },
  { id: 2, name: 'Ben' },
];

test.each([
  ['2 of 5 people are listed.', { total: 5, isMinimum: false }],
  ['2 of more than 2 people are listed.', { total: 2, isMinimum: true }],
])('says that only a part is listed: %s', async (text, total) => {
  const query = () =>
    pagedQuery<{ id: number; name: string }>({ queryKey: ['people', text], page: async () => ({ rows, ...total }) });
  const element = (
    <RecordSelect
      label="Person"
      query={query}
      labelOf={({ name }) => name}
      noun="people"
      nothingFound=""
      chosen={undefined}
      onChoose={() => undefined}
    />
  );
  renderScreen({ path: '*', element }, '/');
  expect(await screen.findByText(`${text} Type a name to find others.`)).toBeDefined();
});
