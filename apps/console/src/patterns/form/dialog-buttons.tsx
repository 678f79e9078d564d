import { CancelButton } from '../dialog/cancel-button.tsx';
import { DismissedSignInError } from './dismissed-sign-in.tsx';
import classes from './form.module.css';
import { SubmitButton } from './submit-button.tsx';

type DialogButtonsProps = { action: string; busy: boolean };

/** The buttons of a form in a dialog: cancel and submit. */
export function DialogButtons({ action, busy }: DialogButtonsProps) {
  return (
    <>
      <DismissedSignInError busy={busy} />
      <div className={classes.buttons}>
        <CancelButton />
        <SubmitButton busy={busy}>{action}</SubmitButton>
      </div>
    </>
  );
}
