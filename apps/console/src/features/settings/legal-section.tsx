import { TextInput } from '@mantine/core';
import { settingLabels } from '@opensocial/contract';
import { SettingsSection } from './settings-section.tsx';
import type { SettingsForm } from './use-settings-form.ts';

type LegalSectionProps = { form: SettingsForm };

/** The legal links of sites that use domain level settings (§2.7). */
export function LegalSection({ form }: LegalSectionProps) {
  return (
    <SettingsSection
      id="legal-links"
      description="Shown on the sign-in page of every site that uses domain level settings. An empty field shows no link."
    >
      <TextInput
        {...form.getInputProps('terms_of_use')}
        label={settingLabels.terms_of_use}
        type="url"
        autoComplete="off"
      />
      <TextInput
        {...form.getInputProps('privacy_statement')}
        label={settingLabels.privacy_statement}
        type="url"
        autoComplete="off"
      />
      <TextInput
        {...form.getInputProps('help_email')}
        label={settingLabels.help_email}
        type="email"
        autoComplete="off"
      />
    </SettingsSection>
  );
}
