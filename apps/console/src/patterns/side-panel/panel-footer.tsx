import { Button } from '@mantine/core';
import { useContext } from 'react';
import { createPortal } from 'react-dom';
import { BusyButton } from '../busy-button/busy-button.tsx';
import { DismissedSignInError } from '../form/dismissed-sign-in.tsx';
import { FooterPlaceContext } from './footer-place.ts';

type PanelFooterProps = {
  action: string;
  busy: boolean;
  /** The text of the button during the call. The default is the text of §2.7 and §2.8. */
  busyText?: string;
  onCancel: () => void;
  /** Absent if the button submits a form. */
  onAct?: () => void;
  /** The id of the form that the button submits. */
  form?: string;
};

/** The cancel button and the main action, in the footer of the panel. */
export function PanelFooter({ action, busy, busyText = 'please wait ....', onCancel, onAct, form }: PanelFooterProps) {
  const place = useContext(FooterPlaceContext);
  if (!place) return null;
  return createPortal(
    <>
      <DismissedSignInError busy={busy} />
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
