import {
  type ConvertCSSVariablesInput,
  type CSSVariablesResolver,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import { theme } from './theme.ts';

/** Maps Mantine's colour variables to our tokens. The tokens contain both colour schemes, so the two lists are the same. */
const roles = {
  '--mantine-color-body': 'var(--raised)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--faint)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-success': 'var(--ok)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--faint)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-color-petrol-text': 'var(--accent-text)',
  '--mantine-color-petrol-filled': 'var(--accent)',
  '--mantine-color-petrol-filled-hover': 'var(--accent-hover)',
  '--mantine-color-petrol-light': 'var(--accent-soft)',
  '--mantine-color-petrol-light-hover': 'var(--accent-soft)',
  '--mantine-color-petrol-light-color': 'var(--accent-text)',
  '--mantine-color-petrol-outline': 'var(--accent)',
  '--mantine-color-petrol-outline-hover': 'var(--accent-soft)',
  '--mantine-color-red-filled': 'var(--bad)',
  '--mantine-color-red-filled-hover': 'var(--bad-hover)',
  '--mantine-color-red-light': 'var(--bad-soft)',
  '--mantine-color-red-light-hover': 'var(--bad-soft)',
  '--mantine-color-red-light-color': 'var(--bad)',
  '--mantine-color-gray-light-color': 'var(--muted)',
  '--mantine-color-gray-light-hover': 'var(--sunken)',
};

const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: roles, dark: roles });

const palettes = ['petrol', 'gray', 'dark', 'red', 'green', 'yellow'];

/** Every variable that Mantine would set at run time, without the palettes that we do not use. */
export const themeVariables = (): ConvertCSSVariablesInput => {
  const full = mergeMantineTheme(DEFAULT_THEME, theme);
  const used = Object.entries(full.colors).filter(([name]) => palettes.includes(name));
  const merged = { ...full, colors: Object.fromEntries(used) as typeof full.colors };
  const own = cssVariablesResolver(merged);
  const { variables, light, dark } = defaultCssVariablesResolver(merged);
  return { variables, light: { ...light, ...own.light }, dark: { ...dark, ...own.dark } };
};
