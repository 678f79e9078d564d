import { Button } from '@mantine/core';
import { useContext } from 'react';
import { createPortal } from 'react-dom';
import { BusyButton } from '../busy-button/busy-button.tsx';
import { FooterPlaceContext } from './footer-place.ts';

type PanelFooterProps = {
  action: string;
  busy: boolean;
  /** What the button reads while it works; §2.7 and §2.8 have the text of most panels. */
  busyText?: string;
  onCancel: () => void;
  /** Left out where the button submits a form. */
  onAct?: () => void;
  /** The id of that form. */
  form?: string;
};

/** Cancel and the one thing to do, at the foot of the panel. */
export function PanelFooter({ action, busy, busyText = 'please wait ....', onCancel, onAct, form }: PanelFooterProps) {
  const place = useContext(FooterPlaceContext);
  if (!place) return null;
  return createPortal(
    <>
      <Button variant="default" onClick={onCancel}>
        cancel
      </Button>
      <BusyButton
        type={form ? 'submit' : 'button'}
        {...(form && { form })}
        busy={busy}
        busyText={busyText}
        {...(onAct && { onClick: onAct })}
      >
        {action}
      </BusyButton>
    </>,
    place,
  );
}
