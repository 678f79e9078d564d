import { Drawer } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useEscape } from '../escape/use-escape.ts';
import { useNamedRecord } from '../page/record-name.ts';
import { FooterPlaceContext } from './footer-place.ts';
import { type PanelTab, PanelTabs } from './panel-tabs.tsx';
import classes from './side-panel.module.css';

type SidePanelProps = {
  /** The list that the panel stands over. */
  closeTo: string;
  plate: ReactNode;
  /** For a picture as wide as a logo. */
  wide?: boolean;
  name: string;
  /** What the panel is about, where its name does not tell. */
  record?: string;
  state?: ReactNode;
  tabs?: readonly PanelTab[];
  /** Buttons, or nothing where there is nothing to save; a tab may put its own there. */
  footer?: ReactNode;
  children: ReactNode;
};

/** One record beside its list. A route of its own: closing leads back to the list, which keeps its search. */
export function SidePanel(props: SidePanelProps) {
  const { closeTo, plate, wide = false, name, record = name, state, tabs = [], footer, children } = props;
  useNamedRecord(record);
  const [footerPlace, setFooterPlace] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const { search } = useLocation();
  const close = () => void navigate({ pathname: closeTo, search }, { preventScrollReset: true });
  const panel = useRef<HTMLDivElement>(null);
  useEscape(panel, close);
  return (
    <Drawer.Root
      opened
      onClose={close}
      closeOnEscape={false}
      position="right"
      // Tabs hold lists, whose columns want room.
      size={tabs.length > 0 ? 720 : 560}
      padding={0}
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.panel, inner: classes.inner, body: classes.body }}
    >
      <Drawer.Overlay transitionProps={{ duration: 0 }} className={classes.veil} />
      <Drawer.Content ref={panel} aria-label={name}>
        <div className={classes.header} data-keep-clear>
          <span className={classes.plate} data-wide={wide || undefined} aria-hidden="true">
            {plate}
          </span>
          <div className={classes.words}>
            {/* Takes the focus as the panel opens. */}
            <h2 className={classes.name} title={name} tabIndex={-1} data-autofocus>
              {name}
            </h2>
            {state && <div className={classes.state}>{state}</div>}
          </div>
          <Drawer.CloseButton className={classes.close} aria-label="Close the panel" size={36} iconSize={20} />
        </div>
        {tabs.length > 0 && <PanelTabs tabs={tabs} label={name} />}
        <FooterPlaceContext value={footerPlace}>
          <Drawer.Body>{children}</Drawer.Body>
        </FooterPlaceContext>
        <div ref={setFooterPlace} className={classes.footer}>
          {footer}
        </div>
      </Drawer.Content>
    </Drawer.Root>
  );
}
