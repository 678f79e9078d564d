import type { Site } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { toSettings } from '../../api/links/panel-links.ts';
import { FactorCount } from '../../patterns/form/factor-count.tsx';
import { FormNote } from '../../patterns/form/form-note.tsx';
import { SwitchField } from '../../patterns/form/switch-field.tsx';
import { siteMfaQuery } from './sites.api.ts';
import type { SiteForm } from './use-site-form.ts';

type SiteMfaFieldProps = { form: SiteForm; site: Site; network: string };

/** Whether the site requires a second factor, and whether its network decides that instead. */
export function SiteMfaField({ form, site, network }: SiteMfaFieldProps) {
  const { data: mfa } = useQuery(siteMfaQuery(site.id));
  const isRequired = mfa?.network_requires === true || form.values.mfa === 'Enable';
  return (
    <>
      <SwitchField
        {...form.getInputProps('mfa')}
        label="Multi-factor Authentication"
        hint="Enable: everybody needs a second factor at this site: a passkey, an authenticator app or a code by email. Disable: only people who have set one up are asked for it."
      />
      {mfa && (
        <FormNote>
          {mfa.network_requires ? (
            <>
              The network’s setting wins: {network} requires a second factor at all its sites, so it is required here
              too, even with Disable.{' '}
            </>
          ) : (
            <>This site decides: {network} does not require a second factor at all its sites. </>
          )}
          <Link to={`${toSettings(network)}#policy`}>Setting of the network</Link>
        </FormNote>
      )}
      {mfa && isRequired && (
        <FactorCount
          people={mfa.people}
          withoutFactor={mfa.without_factor}
          noun={`of ${network} who may enter`}
          next={nextSteps[mfa.locks_out ? 'none' : mfa.network_requires ? 'network' : 'site']}
        />
      )}
    </>
  );
}

/** What people without a second factor do at their next sign-in. */
const nextSteps = {
  site: 'They get a code by email when they sign in.',
  network: 'They get a code by email, or set up an authenticator app, when they sign in.',
  none: 'They cannot sign in, because no mail server sends them a code. Ask them to set one up on their Profile first.',
} as const;
