import { TextInput } from '@mantine/core';
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
      <TextInput {...form.getInputProps('terms_of_use')} label="Terms of use URL" type="url" autoComplete="off" />
      <TextInput {...form.getInputProps('privacy_statement')} label="Privacy URL" type="url" autoComplete="off" />
      <TextInput
        {...form.getInputProps('help_email')}
        label="'Need Help?' support email"
        type="email"
        autoComplete="off"
      />
    </SettingsSection>
  );
}
