import { Button } from '@mantine/core';
import { useContext, useEffect, useRef, useState } from 'react';
import { CopyField } from '../copy-field/copy-field.tsx';
import { CloseDialogContext } from '../dialog/cancel-button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { useUnloadQuestion } from '../dialog/use-unload-question.ts';
import form from '../form/form.module.css';
import classes from './invitation-link.module.css';

type InvitationLinkDialogProps = { email: string; link: string; onClose: () => void };

const uncopied = {
  title: 'Close without copying the link?',
  text: 'The link is not shown again. Without it, you have to create another one.',
  action: 'Close without copying',
  cancelText: 'Back to the link',
};

/** A link that was just made. It is shown once, because only its hash is stored, so closing the dialog asks for confirmation until it is copied. */
export function InvitationLinkDialog({ email, link, onClose }: InvitationLinkDialogProps) {
  const [isCopied, setIsCopied] = useState(false);
  useUnloadQuestion(!isCopied);
  return (
    <Dialog
      onClose={onClose}
      title={`Invitation link for ${email}`}
      size={520}
      closeOnClickOutside={false}
      dirty={!isCopied}
      unsaved={uncopied}
    >
      <InvitationLink email={email} link={link} onCopied={() => setIsCopied(true)} />
    </Dialog>
  );
}

type InvitationLinkProps = { email: string; link: string; onCopied: () => void };

function InvitationLink({ email, link, onCopied }: InvitationLinkProps) {
  const close = useContext(CloseDialogContext);
  const text = useRef<HTMLParagraphElement>(null);
  // The form that was here before had the focus. A button must not get it, because a second Enter would close the dialog.
  useEffect(() => text.current?.focus(), []);
  return (
    <div className={form.form}>
      <p ref={text} tabIndex={-1} className={classes.text}>
        Copy the link now, it is not shown again, and give it only to {email}. It works once, within a day. A person who
        has an account already does not need it: the invitation is on their profile.
      </p>
      <dl className={classes.link}>
        <CopyField label="Invitation link" value={link} onCopied={onCopied} />
      </dl>
      <div className={form.buttons}>
        <Button onClick={close}>Done</Button>
      </div>
    </div>
  );
}
