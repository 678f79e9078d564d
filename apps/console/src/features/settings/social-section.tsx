import { ActionIcon, TextInput } from '@mantine/core';
import { SocialProvider, secretMask } from '@opensocial/contract';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { SettingsSection } from './settings-section.tsx';
import classes from './social-section.module.css';
import type { SettingsForm } from './use-settings-form.ts';

type SocialSectionProps = { form: SettingsForm };

/** §2.10, Social Logins. Secrets are write-only: a mask stands for a stored secret. */
export function SocialSection({ form }: SocialSectionProps) {
  return (
    <SettingsSection
      id="social-logins"
      description="The key and secret that each service gave you for this network. Choose in the details of each site which services it offers. A secret is never shown again."
    >
      <div className={classes.table}>
        <div className={classes.head} aria-hidden="true">
          <span>Service</span>
          <span>Key</span>
          <span>Secret</span>
        </div>
        {SocialProvider.options.map((provider) => (
          <fieldset key={provider} className={classes.pair}>
            <legend className={classes.name}>{provider}</legend>
            <TextInput
              {...form.getInputProps(`${provider}_key`)}
              label="Key"
              aria-label={`${provider} key`}
              autoComplete="off"
              spellCheck={false}
            />
            <SecretField form={form} name={`${provider}_secret`} label={`${provider} secret`} />
          </fieldset>
        ))}
      </div>
    </SettingsSection>
  );
}

type SecretFieldProps = { form: SettingsForm; name: `${SocialProvider}_secret`; label: string };

/** Focusing the field clears the mask. If the field is left empty, the stored secret is kept until the user removes it. */
function SecretField({ form, name, label }: SecretFieldProps) {
  const [isRemoved, setIsRemoved] = useState(false);
  const value = form.values[name];
  const hadSecret = form.getInitialValues()[name] === secretMask;
  const hasSecret = hadSecret && (value === secretMask || (value === '' && !isRemoved));
  const handleFocus = () => {
    if (value === secretMask) form.setFieldValue(name, '');
  };
  const handleBlur = () => {
    if (hasSecret) form.setFieldValue(name, secretMask);
  };
  const handleRemove = () => {
    setIsRemoved(true);
    form.setFieldValue(name, '');
  };
  return (
    <TextInput
      {...form.getInputProps(name)}
      type="password"
      label="Secret"
      aria-label={label}
      autoComplete="new-password"
      spellCheck={false}
      {...(hasSecret && { description: 'A secret is stored.' })}
      {...(hadSecret && isRemoved && value === '' && { description: 'The secret is removed when you save.' })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      rightSection={
        hasSecret && (
          <ActionIcon variant="subtle" color="gray" aria-label={`Remove the ${label}`} onClick={handleRemove}>
            <IconX size={16} stroke={1.8} />
          </ActionIcon>
        )
      }
      onFocus={handleFocus}
      onBlur={handleBlur}
      // Enter submits the form before the blur, and an empty field would remove the secret.
      onKeyDown={({ key }) => {
        if (key === 'Enter') handleBlur();
      }}
    />
  );
}
