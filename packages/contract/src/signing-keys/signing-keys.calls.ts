import { z } from 'zod';
import { afterFreshSignIn, inSession, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork } from '../fields.ts';
import { listPath, path } from '../paths.ts';
import { SigningKeyDraft, SigningKeyList, SigningKeySitePage } from './signing-keys.schemas.ts';

const named = { server: NamedNetwork, key_id: Id };
const ofKey = networkAdmin({ server: 'name', key_id: 'signingKey' });

export const listSigningKeys = call({
  method: 'GET',
  path: path('/server/sso/signing_keys/:server', { server: NamedNetwork }),
  summary:
    'The signing keys of a network: the current one, the next one and retired ones. All of them are in its metadata.',
  access: networkAdmin({ server: 'name' }),
  answer: SigningKeyList,
});

export const listSigningKeySites = call({
  method: 'GET',
  path: listPath('/server/sso/signing_key_sites/:server', {}, '/:lastid', { server: NamedNetwork }),
  summary:
    'The sites of a network, by domain, with the key that signs for each, its last sign-ins and its own certificates.',
  access: networkAdmin({ server: 'name' }),
  answer: SigningKeySitePage,
});

export const createSigningKey = call({
  method: 'POST',
  path: path('/server/sso/signing_keys/:server', { server: NamedNetwork }),
  summary: 'Create the next key of a network and publish it. Nothing is signed with it yet.',
  access: networkAdmin({ server: 'name' }),
  body: SigningKeyDraft,
  answer: Done,
});

export const trySigningKey = call({
  method: 'PUT',
  path: path('/server/sso/signing_key/try/:server/:key_id', named),
  summary: "Sign the caller's own sign-ins with the next key for one hour. Other people are not affected.",
  access: inSession(ofKey),
  answer: Done,
});

export const stopTryingSigningKey = call({
  method: 'DELETE',
  path: path('/server/sso/signing_key/try/:server/:key_id', named),
  summary: 'End the trial of the next key before its hour is over.',
  access: ofKey,
  answer: Done,
});

export const switchSite = call({
  method: 'PUT',
  path: path('/server/sso/signing_key/site/:server/:key_id', named),
  summary: 'Sign the responses to one site with a key of the network, the next one or a former one.',
  access: afterFreshSignIn(networkAdmin({ server: 'name', key_id: 'signingKey', site_id: 'samlSite' })),
  body: z.strictObject({ site_id: Id }),
  answer: Done,
});

export const switchAllSites = call({
  method: 'PUT',
  path: path('/server/sso/signing_key/all/:server/:key_id', named),
  summary:
    'Make a key the current one and sign the responses to all sites with it. The former key stays in the metadata.',
  access: afterFreshSignIn(ofKey),
  answer: Done,
});

export const retireSigningKey = call({
  method: 'PUT',
  path: path('/server/sso/signing_key/retire/:server/:key_id', named),
  summary: 'Make the next key the current one, while sites that have not been switched stay with the retired key.',
  access: afterFreshSignIn(ofKey),
  answer: Done,
});

export const removeSigningKey = call({
  method: 'DELETE',
  path: path('/server/sso/signing_key/:server/:key_id', named),
  summary:
    'Remove a retired key, or the next key, from the metadata and delete it. A key that a site uses is not removed.',
  access: afterFreshSignIn(ofKey),
  answer: Done,
});
