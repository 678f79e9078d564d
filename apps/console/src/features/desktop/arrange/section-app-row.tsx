import type { DesktopApp } from '@opensocial/contract';
import { IconArrowDown, IconArrowUp, IconDots } from '@tabler/icons-react';
import { lazy } from 'react';
import { AppPlate } from '../../../patterns/app-tile/app-plate.tsx';
import { LazyMenu, type MenuButtonProps } from '../../../patterns/lazy-menu/lazy-menu.tsx';
import classes from './arrange-dialog.module.css';
import { ToolButton } from './tool-button.tsx';
import type { SectionEditing } from './use-section-drafts.ts';

type SectionAppRowProps = {
  app: DesktopApp;
  place: { index: number; last: number };
  sectionKey: string;
  editing: SectionEditing;
};

const load = () => import('./app-menu.tsx');
const AppMenu = lazy(async () => ({ default: (await load()).AppMenu }));

/** An app in a section, with buttons that move it. */
export function SectionAppRow({ app, place: { index, last }, sectionKey, editing }: SectionAppRowProps) {
  const moveTo = (to: number, pressed: HTMLElement) => editing.moveApp(sectionKey, index, to, pressed);
  const label = `More for ${app.name}`;
  const renderButton = (props: MenuButtonProps) => (
    <button {...props} type="button" className={classes.tool} aria-label={label} title={label}>
      <IconDots size={17} stroke={1.8} aria-hidden="true" />
    </button>
  );
  return (
    <li className={classes.app} data-app={app.id}>
      <AppPlate app={app} small />
      <span className={classes.name}>{app.name}</span>
      <ToolButton
        label={`Move ${app.name} up`}
        icon={IconArrowUp}
        isOff={index === 0}
        onPress={(pressed) => moveTo(index - 1, pressed)}
      />
      <ToolButton
        label={`Move ${app.name} down`}
        icon={IconArrowDown}
        isOff={index === last}
        onPress={(pressed) => moveTo(index + 1, pressed)}
      />
      <LazyMenu load={load} renderButton={renderButton}>
        {(target) => (
          <AppMenu target={target} app={app} place={{ index, last }} sectionKey={sectionKey} editing={editing} />
        )}
      </LazyMenu>
    </li>
  );
}
