import { z } from 'zod';
import { inSession, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, NamedNetwork } from '../fields.ts';
import { path } from '../paths.ts';
import {
  FooterType,
  KeysDraft,
  LoginReach,
  NetworkImageRemoval,
  NetworkSettings,
  PolicyDraft,
  PolicyReach,
  SettingsChanges,
  SignInPreview,
  SignInPreviewDraft,
} from './settings.schemas.ts';

export const getSettings = call({
  method: 'GET',
  path: path('/server/sso/settings/:server', { server: NamedNetwork }),
  summary: 'The settings of a network. Stored secrets are masked.',
  access: networkAdmin({ server: 'name' }),
  answer: NetworkSettings,
});

export const updateSettings = call({
  method: 'PUT',
  path: path('/server/sso/settings/:server', { server: NamedNetwork }),
  summary: "Change a network's policy, keys, links and footer. A secret that is sent as the mask stays unchanged.",
  access: networkAdmin({ server: 'name' }),
  body: SettingsChanges,
  maxBody: 8 * 1024 * 1024,
  answer: NetworkSettings,
});

export const getPolicyReach = call({
  method: 'GET',
  path: path('/server/sso/policy_reach/:server', { server: NamedNetwork }),
  summary: "How many of the network's own accounts a policy would affect if it were saved.",
  access: inSession(networkAdmin({ server: 'name' })),
  query: PolicyDraft,
  answer: PolicyReach,
});

export const getLoginReach = call({
  method: 'GET',
  path: path('/server/sso/login_reach/:server', { server: NamedNetwork }),
  summary: 'The sites that nobody could sign in to any more if the network had keys for these services only.',
  access: networkAdmin({ server: 'name' }),
  query: KeysDraft,
  answer: LoginReach,
});

export const previewSignIn = call({
  method: 'POST',
  path: path('/server/sso/sign_in_preview/:server', { server: NamedNetwork }),
  summary:
    'The sign-in page of a site without branding of its own, as it would be with these values. Nothing is saved.',
  access: networkAdmin({ server: 'name' }),
  body: SignInPreviewDraft,
  maxBody: 8 * 1024 * 1024,
  answer: SignInPreview,
});

export const setFooterType = call({
  method: 'PUT',
  path: path('/server/sso/footer_type/:server', { server: NamedNetwork }),
  summary: 'Choose the footer of the sign-in pages: a logo, or custom text.',
  access: networkAdmin({ server: 'name' }),
  body: z.strictObject({ footer_type: FooterType, server: NamedNetwork }),
  answer: Done,
});

export const updateNetworkImage = call({
  method: 'PUT',
  path: path('/server/sso/server_logo_bg/:server', { server: NamedNetwork }),
  summary: 'Choose one of the images of the sign-in pages, by its name: logo, footer or background.',
  access: networkAdmin({ server: 'name' }),
  body: z.union([
    z.strictObject({ logo: NetworkSettings.shape.logo.min(1) }),
    z.strictObject({ footer: NetworkSettings.shape.footer.min(1) }),
    z.strictObject({ background: NetworkSettings.shape.background.min(1) }),
  ]),
  answer: NetworkSettings,
});

export const removeNetworkImage = call({
  method: 'GET',
  path: path('/server/sso/remove_server_logo_bg/:kind/:server', { kind: NetworkImageRemoval, server: NamedNetwork }),
  summary: 'Remove one of the images of the sign-in pages.',
  access: networkAdmin({ server: 'name' }),
  changesState: true,
  answer: NetworkSettings,
});
