import { useComputedColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { lazy } from 'react';
import { LazyMenu, type MenuButtonProps } from '../../../patterns/lazy-menu/lazy-menu.tsx';
import classes from './top-bar.module.css';

const load = () => import('./theme-switch-items.tsx');
const ThemeSwitchItems = lazy(async () => ({ default: (await load()).ThemeSwitchItems }));

export function ThemeSwitch() {
  const SeenIcon = useComputedColorScheme() === 'dark' ? IconMoon : IconSun;
  const renderButton = (props: MenuButtonProps) => (
    <button {...props} type="button" className={classes.tool} aria-label="Theme">
      <SeenIcon size={18} stroke={1.8} aria-hidden="true" />
    </button>
  );
  return (
    <LazyMenu load={load} renderButton={renderButton}>
      {(target) => <ThemeSwitchItems target={target} />}
    </LazyMenu>
  );
}
