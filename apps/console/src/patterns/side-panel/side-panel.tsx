import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useEscape } from '../escape/use-escape.ts';
import { useNamedRecord } from '../page/record-name.ts';
import { FooterPlaceContext } from './footer-place.ts';
import { type PanelTab, PanelTabs } from './panel-tabs.tsx';
import classes from './side-panel.module.css';

type SidePanelProps = {
  /** The address of the list below the panel. */
  closeTo: string;
  plate: ReactNode;
  /** For a wide picture, such as a logo. */
  wide?: boolean;
  name: string;
  /** What tells the record from others of the same name. */
  detail?: string | undefined;
  /** The kind of record, if its name does not tell. */
  record?: string;
  state?: ReactNode;
  tabs?: readonly PanelTab[];
  /** The buttons, if there is something to save. A tab may render its own there. */
  footer?: ReactNode;
  children: ReactNode;
};

/** A panel with one record beside its list. It is a route: closing it navigates back to the list, which keeps its search. */
export function SidePanel(props: SidePanelProps) {
  const { closeTo, plate, wide = false, name, detail, record = name, state, tabs = [], footer, children } = props;
  useNamedRecord(record);
  const [footerPlace, setFooterPlace] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const close = () => void navigate({ pathname: closeTo, search }, { preventScrollReset: true });
  const panel = useRef<HTMLDivElement>(null);
  useEscape(panel, close);
  const heading = useRef<HTMLHeadingElement>(null);
  // A link that opened another view of the panel, such as 'assign groups', is gone with the view that contained it.
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [pathname]);
  return (
    <Drawer.Root
      opened
      onClose={close}
      closeOnEscape={false}
      position="right"
      // Tabs contain lists with several columns, which need the width.
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
            {/* Gets the focus when the panel opens. */}
            <h2 ref={heading} className={classes.name} title={name} tabIndex={-1} data-autofocus>
              {name}
            </h2>
            {detail && (
              <p className={classes.detail} title={detail}>
                {detail}
              </p>
            )}
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
