import { Switch, TextInput } from '@mantine/core';
import { LoginType, type Site, siteLabels } from '@opensocial/contract';
import { mainNetwork } from '../../api/session/role.ts';
import { ChipsField } from '../../patterns/form/chips-field.tsx';
import { SiteMfaField } from './site-mfa-field.tsx';
import type { SiteForm } from './use-site-form.ts';

type SiteSignInFieldsProps = { form: SiteForm; site: Site; network: string };

/** §2.7: sites of the main network do not offer the login through the main network, which would be the same as the email login. */
const typesOn = (network: string): readonly LoginType[] =>
  LoginType.options.filter((type) => type !== 'opensocial' || network !== mainNetwork);

export function SiteSignInFields({ form, site, network }: SiteSignInFieldsProps) {
  return (
    <>
      <SiteMfaField form={form} site={site} network={network} />
      <ChipsField
        {...form.getInputProps('auth_options')}
        label={siteLabels.auth_options}
        options={typesOn(network).map((type) => ({ value: type, label: type }))}
      />
      <Switch
        label={siteLabels.email_login}
        checked={form.values.email_login === 1}
        onChange={(event) => form.setFieldValue('email_login', event.currentTarget.checked ? 1 : false)}
      />
      <TextInput
        {...form.getInputProps('custom_auth_options')}
        label={siteLabels.custom_auth_options}
        description="Names of further sign-in services, separated by commas."
        autoComplete="off"
      />
    </>
  );
}
