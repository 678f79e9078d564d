import { Button, Loader } from '@mantine/core';

type PanelFooterProps = {
  action: string;
  busy: boolean;
  /** SPEC's words for most panels. */
  busyText?: string;
  onCancel: () => void;
  /** Left out where the button submits a form. */
  onAct?: () => void;
  /** The id of that form. */
  form?: string;
};

/** Cancel and the one thing to do. While busy nothing is disabled: that would take the focus away. */
export function PanelFooter({ action, busy, busyText = 'please wait ....', onCancel, onAct, form }: PanelFooterProps) {
  return (
    <>
      <Button variant="default" onClick={onCancel}>
        cancel
      </Button>
      <Button
        type={form ? 'submit' : 'button'}
        form={form}
        aria-disabled={busy}
        data-disabled={busy}
        leftSection={busy && <Loader size={16} color="currentColor" />}
        onClick={busy ? (event) => event.preventDefault() : onAct}
      >
        {busy ? busyText : action}
      </Button>
    </>
  );
}
