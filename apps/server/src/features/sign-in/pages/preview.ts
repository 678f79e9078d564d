import { renderSignIn } from '@opensocial/signin';
import type { Config } from '../../../config.ts';
import { supportsPasskeys } from '../../passkeys/passkeys.service.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { type BrandingSettings, toLegalLinks, toNetworkLook } from './look.ts';

/** Nothing on the page of a preview works, so its addresses lead nowhere. */
const nowhere = '#';

/** The sign-in page of a site that has no branding and no login types of its own, with the given settings of its network. */
export const previewSignInPage = (
  config: Config,
  network: Pick<Destination['network'], 'name'>,
  settings: BrandingSettings & Pick<Destination['settings'], 'sign_up'>,
): string =>
  renderSignIn({
    look: { ...toNetworkLook(network, settings), ...toLegalLinks(settings), site: { name: 'Your application' } },
    form: {
      action: nowhere,
      csrf: '',
      forgotUrl: nowhere,
      resendUrl: nowhere,
      ...(settings.sign_up === 'Enable' && { signUpUrl: nowhere }),
    },
    // The real page shows the button in browsers that support passkeys, which nearly all do.
    ...(supportsPasskeys(config) && { passkey: { action: nowhere, request: {} } }),
    isPreview: true,
  });
