import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useSessionUser } from '../../../api/session/session.ts';
import { useCopy } from '../../../patterns/copy-field/use-copy.ts';
import { downloadText } from '../../../patterns/download/download-text.ts';
import classes from './recovery-codes.module.css';

type RecoveryCodesProps = { codes: readonly string[]; onSaved: () => void };

/** Recovery codes, shown once. A printout contains only the codes and the account. */
export function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps) {
  const { username } = useSessionUser();
  const { copied, copy } = useCopy();
  return (
    <div className={classes.body}>
      <p>
        These recovery codes let you sign in if you lose your authenticator app or your passkeys. Each works once. They
        are shown only once: store them in a safe place.
      </p>
      <p className={classes.account}>Account: {username}</p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.tools}>
        <Button
          variant="default"
          // Not on the close button, because an extra press of Enter would lose the codes.
          data-autofocus
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} stroke={1.8} />}
          onClick={() => copy(codes.join('\n'))}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.8} />}
          onClick={() => download(codes, username)}
        >
          Download
        </Button>
        <Button variant="default" leftSection={<IconPrinter size={16} stroke={1.8} />} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <div className={classes.kept}>
        <Button onClick={onSaved}>I have saved them</Button>
      </div>
    </div>
  );
}

const download = (codes: readonly string[], username: string): void => {
  const lines = ['OpenSocial recovery codes', `Account: ${username}`, 'Each code works once.', '', ...codes, ''];
  downloadText(lines.join('\n'), 'opensocial-recovery-codes.txt');
};
