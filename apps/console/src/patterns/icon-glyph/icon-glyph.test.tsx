import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { IconGlyph, inks } from './icon-glyph.tsx';

const show = (svg: string, scheme: 'light' | 'dark' = 'light') =>
  render(
    <MantineProvider env="test" forceColorScheme={scheme}>
      <IconGlyph svg={svg} size={30} />
    </MantineProvider>,
  ).container;
const source = (container: HTMLElement) => decodeURIComponent(container.querySelector('img')?.src ?? '');

test.each(['light', 'dark'] as const)('§2.15 icon library: an icon is drawn in the %s text colour', (scheme) => {
  expect(source(show('<svg><path d="M0 0h9"/></svg>', scheme))).toContain(`color="${inks[scheme]}"`);
});

test('§2.15 icon library: invalid markup renders nothing', () => {
  expect(show('no markup').querySelector('img')).toBeNull();
});

test('§2.15 icon library: the colours are those of the tokens', () => {
  const tokens = readFileSync(createRequire(import.meta.url).resolve('@opensocial/look/tokens.css'), 'utf8');
  const [, light, dark] = tokens.match(/--text: light-dark\(var\((--[\w-]+)\), (#\w+)\)/) ?? [];
  expect(tokens).toContain(`${light}: ${inks.light};`);
  expect(dark).toBe(inks.dark);
});
