import { Chip, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { policyOptions } from '@opensocial/contract';
import classes from '../../patterns/form/form.module.css';
import own from './policy-section.module.css';
import { SettingsSection } from './settings-section.tsx';
import type { SettingsForm } from './use-settings-form.ts';

type PolicySectionProps = { form: SettingsForm };

const months = (count: number): string =>
  count === 0 ? 'Disable' : `After ${count} ${count === 1 ? 'month' : 'months'}`;

const complexity = {
  lowerletter: 'Lower-case letter',
  upperletter: 'Upper-case letter',
  number: 'Number',
  special: 'Special character',
};

const factors = { google: 'Authenticator app (TOTP)', email: 'Code by email' };

/** §2.10, Users Account Policy, with the options of §9. */
export function PolicySection({ form }: PolicySectionProps) {
  const choice = (field: 'password_expiration' | 'password_history' | 'password_length') => ({
    value: String(form.values[field]),
    onChange: (event: { currentTarget: { value: string } }) =>
      form.setFieldValue(field, Number(event.currentTarget.value) as never),
  });
  const list = (field: 'password_complexity' | 'mfa_options') => ({
    value: form.values[field] === '' ? [] : form.values[field].split(','),
    onChange: (chosen: string[]) => form.setFieldValue(field, chosen.join(',')),
  });
  return (
    <SettingsSection
      title="Users Account Policy"
      description="For people whose home network this is. Each rule applies from the next sign-in, or the next password, on."
    >
      <div className={own.grid}>
        <NativeSelect
          {...choice('password_expiration')}
          label="Password expiration"
          data={policyOptions.password_expiration.map((value) => ({ value: String(value), label: months(value) }))}
        />
        <NativeSelect
          {...choice('password_history')}
          label="Password history"
          data={policyOptions.password_history.map((value) => ({
            value: String(value),
            label: `Not one of the last ${value}`,
          }))}
        />
        <NativeSelect
          {...choice('password_length')}
          label="Minimum length"
          data={policyOptions.password_length.map((value) => ({
            value: String(value),
            label: `${value} characters`,
          }))}
        />
      </div>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Password complexity</legend>
        <Chip.Group multiple {...list('password_complexity')}>
          <div className={classes.row}>
            {policyOptions.password_complexity.map((rule) => (
              <Chip key={rule} value={rule} variant="outline">
                {complexity[rule]}
              </Chip>
            ))}
          </div>
        </Chip.Group>
      </fieldset>
      <div className={own.grid}>
        <TextInput
          {...form.getInputProps('user_inactivity')}
          type="number"
          inputMode="numeric"
          min={0}
          label="Lock user"
          description="Days without a sign-in until an account is disabled; 0 means unlimited."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput
          {...form.getInputProps('failed_tries')}
          type="number"
          inputMode="numeric"
          min={0}
          max={100}
          label="Bad attempts"
          description="Wrong passwords until an account is locked for a while; 0 means unlimited, which is 100."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </div>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>MFA</legend>
        <div className={classes.row}>
          <SegmentedControl {...form.getInputProps('mfa')} aria-label="MFA" data={['Enable', 'Disable']} />
          <span className={classes.hint}>A second proof at every sign-in to a site of this network.</span>
        </div>
      </fieldset>
      {form.values.mfa === 'Enable' && (
        <fieldset className={classes.group}>
          <legend className={classes.legend}>Permitted MFA options</legend>
          <Chip.Group multiple {...list('mfa_options')}>
            <div className={classes.row}>
              {policyOptions.mfa_options.map((option) => (
                <Chip key={option} value={option} variant="outline">
                  {factors[option]}
                </Chip>
              ))}
            </div>
          </Chip.Group>
          <TextInput
            {...form.getInputProps('mfa_remember_days')}
            type="number"
            inputMode="numeric"
            min={0}
            max={90}
            label="Remember a device"
            description="Days that a browser is spared the second proof, where its user asks for it; 0 never spares it."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          {form.errors['mfa_options'] && (
            <p className={own.fault} role="alert">
              {form.errors['mfa_options']}
            </p>
          )}
        </fieldset>
      )}
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Sign up</legend>
        <div className={classes.row}>
          <SegmentedControl {...form.getInputProps('sign_up')} aria-label="Sign up" data={['Enable', 'Disable']} />
          <span className={classes.hint}>
            Whether strangers may make an account from the sign-in page. They confirm their address first, and then
            enter every site that has no group.
          </span>
        </div>
      </fieldset>
      <div className={own.grid}>
        <TextInput
          {...form.getInputProps('session_idle_minutes')}
          type="number"
          inputMode="numeric"
          min={5}
          max={1440}
          label="Idle session"
          description="Minutes without use until people sign in again at the sites of this network: 5 to 1,440."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput
          {...form.getInputProps('session_hours')}
          type="number"
          inputMode="numeric"
          min={1}
          max={168}
          label="Longest session"
          description="Hours after which people sign in again even if they were active: 1 to 168."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </div>
    </SettingsSection>
  );
}
