import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CopyField } from '../copy-field/copy-field.tsx';
import form from '../form/form.module.css';
import classes from './invitation-link.module.css';

type InvitationLinkProps = { email: string; link: string; onClose: () => void };

/** The content of a dialog with a link that was just made. It is shown once: only its hash is stored. */
export function InvitationLink({ email, link, onClose }: InvitationLinkProps) {
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
        <CopyField label="Invitation link" value={link} />
      </dl>
      <div className={form.buttons}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}
