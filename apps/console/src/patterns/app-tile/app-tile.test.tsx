import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { desktopApp } from '../../testing/builders.ts';
import { AppTile } from './app-tile.tsx';
import { TileColourFields } from './tile-colour-fields.tsx';
import { TilePreview } from './tile-preview.tsx';

const show = (changes: Parameters<typeof desktopApp>[0]) =>
  render(
    <MantineProvider env="test">
      <AppTile app={desktopApp(changes)} />
    </MantineProvider>,
  ).container;

const imageOf = (container: HTMLElement) => container.querySelector('img')?.getAttribute('src') ?? '';

test('§2.3 desktop: a tile opens its login_url in a new tab', () => {
  show({ login_url: 'https://reports.northlab.org/login' });
  const tile = screen.getByRole('link', { name: 'Reports' });
  expect(tile.getAttribute('href')).toBe('https://reports.northlab.org/login');
  expect(tile.getAttribute('target')).toBe('_blank');
  expect(tile.getAttribute('rel')).toBe('noopener noreferrer');
});

test.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', 'vbscript:x', '', 'http://'])(
  '§2.3 desktop: a login_url of %j is not a link',
  (login_url) => {
    const container = show({ login_url });
    expect(screen.queryByRole('link')).toBeNull();
    expect(container.innerHTML).not.toContain('href');
    expect(screen.getByText('Reports')).toBeDefined();
  },
);

test('§2.3 desktop: an icon is an image in the colour of the icon', () => {
  const container = show({
    icon: '<svg viewBox="0 0 24 24"><path d="M0 0h9"/></svg>',
    icon_color: '#7c3aed',
    icon_background: '#ece8fd',
  });
  const svg = decodeURIComponent(imageOf(container));
  expect(svg).toContain('data:image/svg+xml,<svg');
  expect(svg).toContain('color="#7c3aed"');
  expect(svg).toContain('fill="#7c3aed"');
  expect(container.innerHTML).toContain('background-color: #ece8fd');
});

test.each([16, 61, 256])('§2.7 icon width: an icon is %i pixels wide, up to the size of the tile', (icon_width) => {
  const container = show({ icon: '<svg></svg>', icon_width });
  const plate = container.querySelector<HTMLElement>('[aria-hidden]');
  expect(plate?.style.getPropertyValue('--icon-width')).toBe(`${icon_width}px`);
});

test('§2.7 icon width: an incomplete number keeps the default width', () => {
  const container = show({ icon: '<svg></svg>', icon_width: Number.NaN });
  expect(container.querySelector<HTMLElement>('[aria-hidden]')?.style.getPropertyValue('--icon-width')).toBe('');
});

test('§2.3 desktop: a stroked icon keeps its empty fill', () => {
  const container = show({ icon: '<svg fill="none" stroke="currentColor"></svg>', icon_color: '#7c3aed' });
  expect(decodeURIComponent(imageOf(container))).toContain('fill="none"');
});

test('§2.3 desktop: hostile icon markup never becomes part of the page', () => {
  const container = show({
    icon: '<svg><script>alert(1)</script><image href="x"/></svg><img src="x" onerror="alert(2)">',
  });
  expect(container.querySelector('svg, script, [onerror]')).toBeNull();
  expect(imageOf(container)).toMatch(/^data:image\/svg\+xml,/);
});

test('§2.3 desktop: a picture fills the plate; a missing picture shows the icon', () => {
  const container = show({ icon_bg: '/server/sso/icon_image/northlab/reports.png', icon: '<svg></svg>' });
  expect(imageOf(container)).toMatch(/\/server\/sso\/icon_image\/northlab\/reports\.png$/);
  fireEvent.error(container.querySelector('img') as HTMLElement);
  expect(imageOf(container)).toMatch(/^data:image\/svg\+xml,/);
});

test('§2.3 desktop: without picture and icon, the plate shows the first letter of the name', () => {
  const container = show({ name: 'reports' });
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('[aria-hidden]')?.textContent).toBe('R');
});

test('§2.3 desktop: markup in a name is text', () => {
  const container = show({ name: '<script>alert(1)</script>' });
  expect(container.querySelector('script')).toBeNull();
  expect(screen.getByText('<script>alert(1)</script>')).toBeDefined();
});

test('§2.7 colours: a colour with low contrast is used as chosen, with a warning at its field', () => {
  const app = desktopApp({ text_color: '#ffff00', text_background: '#ffffee' });
  const { container } = render(
    <MantineProvider env="test">
      <TilePreview app={app} />
      <TileColourFields app={app} onChange={() => {}} />
    </MantineProvider>,
  );
  expect(container.innerHTML).toContain('color: #ffff00; background-color: #ffffee');
  const field = screen.getByRole('button', { name: /^Icon Text Color/ });
  const warning = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(warning?.textContent).toMatch(/^Hard to read on its background: contrast 1\.0 to 1/);
  const other = screen.getByRole('button', { name: /^Icon Text Background Color/ });
  expect(document.getElementById(other.getAttribute('aria-describedby') ?? '')?.textContent).toBe('');
});

test('§2.11 live preview: shows the tile without a link', () => {
  const preview = (changes: Parameters<typeof desktopApp>[0]) => (
    <MantineProvider env="test">
      <TilePreview app={desktopApp(changes)} />
    </MantineProvider>
  );
  const { container, rerender } = render(preview({ icon_bg: '/gone.png' }));
  expect(screen.getByRole('img', { name: 'Preview of the tile Reports' })).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
  fireEvent.error(container.querySelector('img') as HTMLElement);
  expect(container.querySelector('img')).toBeNull();
  rerender(preview({ icon_bg: '/there.png', text_color: '#ffffff', text_background: '#0f766e' }));
  expect(imageOf(container)).toMatch(/\/there\.png$/);
  expect(container.innerHTML).toContain('background-color: #0f766e');
});
