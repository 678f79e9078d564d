import { NativeSelect } from '@mantine/core';
import { SigningAlgorithm, siteLabel } from '@opensocial/contract';
import { useState } from 'react';
import { ConfirmDialog } from '../../../patterns/confirm/confirm-dialog.tsx';
import { algorithmNames, countSites, shortFingerprint, stateNames } from './signing-key-texts.ts';
import type { KeyChange } from './signing-keys.api.ts';
import classes from './signing-keys.module.css';

type KeyChangeDialogProps = {
  change: KeyChange;
  /** The number of sites of the network. */
  sites: number;
  busy: boolean;
  onConfirm: (change: KeyChange) => void;
  onCancel: () => void;
};

type Wording = { title: string; text: string; action: string; danger?: boolean };

/** What will happen, for each change. */
const wordingOf = (change: Exclude<KeyChange, { kind: 'create' }>, sites: number): Wording => {
  switch (change.kind) {
    case 'try':
      return {
        title: 'Try the next key',
        text: 'For one hour, your own sign-ins at all sites of this network are signed with the next key. If a site refuses you, it does not accept the key yet. Nobody else is affected.',
        action: 'Try with my sign-ins',
      };
    case 'stop':
      return {
        title: 'Stop trying',
        text: 'All sign-ins are signed with the keys of the sites again.',
        action: 'Stop trying',
      };
    case 'all':
      return {
        title: 'Switch all sites',
        text: `From the next sign-in on, the responses to ${countSites(sites)} are signed with the next key. People cannot sign in to a site that does not accept this key yet. The former key stays in the metadata, and you can switch back at any time.`,
        action: 'Switch all sites',
        danger: true,
      };
    case 'back':
      return {
        title: 'Switch back',
        text: `The responses to ${countSites(sites)} are signed with this key again, also to sites that were switched one by one.`,
        action: 'Switch back',
        danger: true,
      };
    case 'retire':
      return {
        title: 'Retire this key',
        text: `The next key becomes the current one. ${change.key.sites === 0 ? 'All sites use it already.' : `${countSites(change.key.sites)} that you have not switched ${change.key.sites === 1 ? 'stays' : 'stay'} with the retired key until you switch them.`}`,
        action: 'Retire this key',
      };
    case 'remove':
      return {
        title: 'Remove this key',
        text: 'The key disappears from the metadata and is deleted. This cannot be undone.',
        action: 'Remove this key',
        danger: true,
      };
    case 'site':
      return {
        title: `Switch ${siteLabel(change.site)}`,
        text: `From the next sign-in on, the responses to this site are signed with the ${stateNames[change.key.state].toLowerCase()} ${shortFingerprint(change.key)}. People cannot sign in to it if it does not accept this key.`,
        action: 'Switch this site',
      };
  }
};

/** Says what a change will do, and asks for confirmation. */
export function KeyChangeDialog({ change, sites, busy, onConfirm, onCancel }: KeyChangeDialogProps) {
  if (change.kind === 'create') return <CreateKeyDialog busy={busy} onConfirm={onConfirm} onCancel={onCancel} />;
  return (
    <ConfirmDialog {...wordingOf(change, sites)} busy={busy} onConfirm={() => onConfirm(change)} onCancel={onCancel} />
  );
}

function CreateKeyDialog({ busy, onConfirm, onCancel }: Pick<KeyChangeDialogProps, 'busy' | 'onConfirm' | 'onCancel'>) {
  const [algorithm, setAlgorithm] = useState<SigningAlgorithm>('rsa-2048');
  return (
    <ConfirmDialog
      title="Create the next key"
      text="The metadata lists the new key at once. Nothing is signed with it until you switch. Its certificate is valid for two years."
      action="Create key"
      busy={busy}
      onConfirm={() => onConfirm({ kind: 'create', algorithm })}
      onCancel={onCancel}
    >
      <NativeSelect
        className={classes.algorithm ?? ''}
        label="Algorithm"
        description="All SAML software accepts RSA with 2,048 bits. Longer RSA keys make each sign-in slower. ECDSA makes it faster, but not every site verifies it: the list of sites says which ones do, as far as their metadata says so."
        data={SigningAlgorithm.options.map((value) => ({ value, label: algorithmNames[value] }))}
        value={algorithm}
        onChange={(event) => setAlgorithm(SigningAlgorithm.parse(event.currentTarget.value))}
      />
    </ConfirmDialog>
  );
}
