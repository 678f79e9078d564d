/**
 * Who may make a call. The server refuses to start with a call that declares none, and a test walks every call with
 * every role. A field is looked up in the path first, then in the body.
 */
export type Access = Anyone | SignedIn | Self | OfMainNetwork | OfSelectedNetwork | OfNetwork;

export type Anyone = { who: 'anyone' };
export type SignedIn = { who: 'signedIn' };
export type Self = { who: 'self'; self: Fields<SelfKey> };
/** An owner of the main network, who looks after the whole installation. */
export type OfMainNetwork = { who: 'mainAdmin' };
/** An owner of the network that is selected in the session, for a call that names no network itself. */
export type OfSelectedNetwork = { who: 'selectedAdmin' };
export type OfNetwork = {
  who: 'networkMember' | 'networkAdmin';
  network: Fields<NetworkKey>;
  self?: Fields<SelfKey>;
};

/** What of the signed-in user a field must equal. It is compared, never used to pick the row. */
export type SelfKey = 'id' | 'uid' | 'email';

/**
 * The way from a field to its network: it names the network itself, or something that belongs to one. Every such field
 * must lead to the same network.
 */
export type NetworkKey =
  | 'id'
  | 'name'
  | 'sso_id'
  | 'site'
  | 'group'
  | 'image'
  | 'imageName'
  | 'member'
  | 'groupUser'
  | 'owner';

type Fields<Key> = Readonly<Record<string, Key>>;

export const anyone: Anyone = { who: 'anyone' };
export const signedIn: SignedIn = { who: 'signedIn' };
export const self = (fields: Fields<SelfKey>): Self => ({ who: 'self', self: fields });
export const mainAdmin: OfMainNetwork = { who: 'mainAdmin' };
export const selectedAdmin: OfSelectedNetwork = { who: 'selectedAdmin' };
export const networkMember = (network: Fields<NetworkKey>, own?: Fields<SelfKey>): OfNetwork => ({
  who: 'networkMember',
  network,
  ...(own && { self: own }),
});
export const networkAdmin = (network: Fields<NetworkKey>): OfNetwork => ({ who: 'networkAdmin', network });

/** The sentence that the reference page shows. */
export const describeAccess = (access: Access): string => {
  switch (access.who) {
    case 'anyone':
      return 'Anyone';
    case 'signedIn':
      return 'Any signed-in user';
    case 'self':
      return `The signed-in user named by ${Object.keys(access.self).join(', ')}`;
    case 'mainAdmin':
      return 'An owner of the main network';
    case 'selectedAdmin':
      return 'An owner of the network selected in the session';
    case 'networkMember':
      return `A member of the network named by ${Object.keys(access.network).join(', ')}`;
    case 'networkAdmin':
      return `An owner of the network named by ${Object.keys(access.network).join(', ')}`;
  }
};
