import type { ComponentType } from 'react';
import { useOutletContext } from 'react-router';
import type { ConnectDraft } from './connect-draft.ts';

/** A field to choose groups, which the groups feature provides. */
export type GroupsField = ComponentType<{ value: readonly string[]; onChange: (ids: string[]) => void }>;

type MadeSecret = { siteId: number; secret: string };

/** What the steps of the guide share. */
export type ConnectContext = {
  draft: ConnectDraft;
  onDraft: (changes: Partial<ConnectDraft>) => void;
  /** The client secret that was just made, with its site. It is kept in memory only, until the guide is left. */
  made: MadeSecret;
  onSecret: (made: MadeSecret) => void;
  GroupsField: GroupsField;
};

export const useConnect = () => useOutletContext<ConnectContext>();
