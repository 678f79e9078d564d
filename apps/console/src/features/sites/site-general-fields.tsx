import { Checkbox, TextInput } from '@mantine/core';
import { type Site, siteLabels } from '@opensocial/contract';
import type { SiteForm } from './use-site-form.ts';

type SiteGeneralFieldsProps = { form: SiteForm; site: Pick<Site, 'domain' | 'protocol'> };

/** §2.7: with domain level settings, the login page shows the links of the network. */
export function SiteGeneralFields({ form, site }: SiteGeneralFieldsProps) {
  const isShared = form.values.domain_level_settings === 'yes';
  const link = { type: 'url', autoComplete: 'off', readOnly: isShared, withAsterisk: !isShared } as const;
  return (
    <>
      <TextInput {...form.getInputProps('site_name')} label={siteLabels.site_name} withAsterisk />
      <TextInput
        {...form.getInputProps('login_url')}
        label={siteLabels.login_url}
        description={`The address that the tile on the desktop opens. If it is empty, the tile ${
          site.protocol === 'oidc' ? `opens https://${site.domain}/.` : 'starts a sign-in to the site.'
        }`}
        type="url"
        autoComplete="off"
      />
      <Checkbox
        label={siteLabels.domain_level_settings}
        checked={isShared}
        onChange={(event) => form.setFieldValue('domain_level_settings', event.currentTarget.checked ? 'yes' : 'no')}
      />
      <TextInput {...form.getInputProps('terms_of_use')} {...link} label={siteLabels.terms_of_use} />
      <TextInput {...form.getInputProps('privacy_statement')} {...link} label={siteLabels.privacy_statement} />
      <TextInput {...form.getInputProps('help_email')} {...link} type="email" label={siteLabels.help_email} />
    </>
  );
}
