/**
 * Declares who may make a call. The server refuses to start if a call declares no access, and a test tries every call
 * with every role. A field name is looked up in the path parameters first, then in the body.
 */
export type Access = Anyone | SignedIn | Self | OfMainNetwork | OfSelectedNetwork | OfNetwork;

export type Anyone = { who: 'anyone' };
export type SignedIn = { who: 'signedIn'; needs: SessionNeed };
export type Self = { who: 'self'; self: Fields<SelfKey>; needs: SessionNeed };
/** An owner of the main network, who administers the whole installation. */
export type OfMainNetwork = { who: 'mainAdmin'; needs?: SessionNeed };
/** An owner of the network that is selected in the session, for calls that do not name a network. */
export type OfSelectedNetwork = { who: 'selectedAdmin'; needs: SessionNeed };
export type OfNetwork = {
  who: 'networkMember' | 'networkAdmin' | 'mainAdminInNetwork';
  network: Fields<NetworkKey>;
  self?: Fields<SelfKey>;
  needs?: SessionNeed;
};

/**
 * What a call needs besides the permission: a person with a session of the console, or one with a sign-in within the last ten minutes. A call
 * that declares neither does not depend on how its caller is authenticated.
 */
export type SessionNeed = 'session' | 'freshSignIn';

/** The property of the signed-in user that a field must equal. The value is only compared; it never selects the row. */
export type SelfKey = 'id' | 'uid' | 'email';

/**
 * How to find the network from a field: the field names the network itself, or a record that belongs to one. If a call
 * has several such fields, they must all resolve to the same network. A site that uses another protocol than the call is
 * about does not exist for it.
 */
export type NetworkKey =
  | 'id'
  | 'name'
  | 'sso_id'
  | 'site'
  | 'samlSite'
  | 'oidcSite'
  | 'group'
  | 'image'
  | 'imageName'
  | 'member'
  | 'groupUser'
  | 'owner'
  | 'signingKey'
  | 'trashEntry';

type Fields<Key> = Readonly<Record<string, Key>>;

export const anyone: Anyone = { who: 'anyone' };
export const signedIn: SignedIn = { who: 'signedIn', needs: 'session' };
export const self = (fields: Fields<SelfKey>): Self => ({ who: 'self', self: fields, needs: 'session' });
export const mainAdmin: OfMainNetwork = { who: 'mainAdmin' };
export const selectedAdmin: OfSelectedNetwork = { who: 'selectedAdmin', needs: 'session' };
export const networkMember = (network: Fields<NetworkKey>, own?: Fields<SelfKey>): OfNetwork => ({
  who: 'networkMember',
  network,
  ...(own && { self: own }),
});
export const networkAdmin = (network: Fields<NetworkKey>): OfNetwork => ({ who: 'networkAdmin', network });
/** An owner of the main network who is a member of the network, such as the one who created it. */
export const mainAdminInNetwork = (network: Fields<NetworkKey>): OfNetwork => ({ who: 'mainAdminInNetwork', network });

type WithNeed = Exclude<Access, Anyone>;
type Needing<A, Need extends SessionNeed> = Omit<A, 'needs'> & { needs: Need };

/** For a call about the person who makes it, or about their session. */
export const inSession = <A extends WithNeed>(access: A): Needing<A, 'session'> => ({ ...access, needs: 'session' });

/** For a call that takes power from somebody or widens access: a session that was left open is not enough. */
export const afterFreshSignIn = <A extends WithNeed>(access: A): Needing<A, 'freshSignIn'> => ({
  ...access,
  needs: 'freshSignIn',
});

/** The description of the access rule on the API reference page. */
export const describeAccess = (access: Access): string =>
  'needs' in access && access.needs === 'freshSignIn'
    ? `${describePermission(access)}, after a fresh sign-in`
    : describePermission(access);

const describePermission = (access: Access): string => {
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
    case 'mainAdminInNetwork':
      return `An owner of the main network who is a member of the network named by ${Object.keys(access.network).join(', ')}`;
  }
};
