import { Chip, NativeSelect, SegmentedControl } from '@mantine/core';
import { policyOptions } from '@opensocial/contract';
import classes from '../../patterns/form/form.module.css';
import { NumberField } from '../../patterns/form/number-field.tsx';
import own from './policy-section.module.css';
import { SettingsSection } from './settings-section.tsx';
import type { SettingsForm } from './use-settings-form.ts';

type PolicySectionProps = { form: SettingsForm };

/** §2.10, Users Account Policy, with the options of §9. */
export function PolicySection({ form }: PolicySectionProps) {
  return (
    <SettingsSection
      title="Users Account Policy"
      description="Applies to people whose home network is this one. Each rule takes effect at the next sign-in or the next change of password."
    >
      <PasswordFields form={form} />
      <LockFields form={form} />
      <MfaFields form={form} />
      <SwitchField
        form={form}
        field="sign_up"
        label="Sign up"
        hint="Whether people without an account may create one on the sign-in page. They confirm their address first and can then use every site that has no group."
      />
      <SessionFields form={form} />
    </SettingsSection>
  );
}

const formatMonths = (count: number): string =>
  count === 0 ? 'Disable' : `After ${count} ${count === 1 ? 'month' : 'months'}`;

const toOptions = (values: readonly number[], label: (value: number) => string) =>
  values.map((value) => ({ value: String(value), label: label(value) }));

const complexityLabels = {
  lowerletter: 'Lower-case letter',
  upperletter: 'Upper-case letter',
  number: 'Number',
  special: 'Special character',
};

function PasswordFields({ form }: PolicySectionProps) {
  const selectProps = (field: 'password_expiration' | 'password_history' | 'password_length') => ({
    value: String(form.values[field]),
    onChange: (event: { currentTarget: { value: string } }) =>
      form.setFieldValue(field, Number(event.currentTarget.value) as never),
  });
  return (
    <>
      <div className={own.grid}>
        <NativeSelect
          {...selectProps('password_expiration')}
          label="Password expiration"
          data={toOptions(policyOptions.password_expiration, formatMonths)}
        />
        <NativeSelect
          {...selectProps('password_history')}
          label="Password history"
          data={toOptions(policyOptions.password_history, (count) => `Not one of the last ${count}`)}
        />
        <NativeSelect
          {...selectProps('password_length')}
          label="Minimum length"
          data={toOptions(policyOptions.password_length, (length) => `${length} characters`)}
        />
      </div>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Password complexity</legend>
        <Chips form={form} field="password_complexity" labels={complexityLabels} />
      </fieldset>
    </>
  );
}

function LockFields({ form }: PolicySectionProps) {
  return (
    <div className={own.grid}>
      <NumberField
        {...form.getInputProps('user_inactivity')}
        min={0}
        label="Lock user"
        description="Days without a sign-in until an account is disabled; 0 means unlimited."
      />
      <NumberField
        {...form.getInputProps('failed_tries')}
        min={0}
        max={100}
        label="Bad attempts"
        description="Wrong passwords until an account is locked for a while; 0 means unlimited, which is 100."
      />
    </div>
  );
}

const factorLabels = { google: 'Authenticator app (TOTP)', email: 'Code by email' };

function MfaFields({ form }: PolicySectionProps) {
  return (
    <>
      <SwitchField
        form={form}
        field="mfa"
        label="MFA"
        hint="Requires a second factor at every sign-in to a site of this network."
      />
      {form.values.mfa === 'Enable' && (
        <fieldset className={classes.group}>
          <legend className={classes.legend}>Permitted MFA options</legend>
          <Chips form={form} field="mfa_options" labels={factorLabels} />
          <NumberField
            {...form.getInputProps('mfa_remember_days')}
            min={0}
            max={90}
            label="Remember a device"
            description="Days for which a browser does not ask for the second factor again, if the user chooses this; 0 means never."
          />
          {form.errors['mfa_options'] && (
            <p className={own.fault} role="alert">
              {form.errors['mfa_options']}
            </p>
          )}
        </fieldset>
      )}
    </>
  );
}

function SessionFields({ form }: PolicySectionProps) {
  return (
    <div className={own.grid}>
      <NumberField
        {...form.getInputProps('session_idle_minutes')}
        min={5}
        max={1440}
        label="Idle session"
        description="Minutes without use until people sign in again at the sites of this network: 5 to 1,440."
      />
      <NumberField
        {...form.getInputProps('session_hours')}
        min={1}
        max={168}
        label="Longest session"
        description="Hours after which people sign in again even if they were active: 1 to 168."
      />
    </div>
  );
}

type ChipsProps<Option extends string> = PolicySectionProps & {
  field: 'password_complexity' | 'mfa_options';
  labels: Readonly<Record<Option, string>>;
};

/** A choice of several options. The setting is their names, separated by commas. */
function Chips<Option extends string>({ form, field, labels }: ChipsProps<Option>) {
  const value = form.values[field];
  return (
    <Chip.Group
      multiple
      value={value === '' ? [] : value.split(',')}
      onChange={(chosen: string[]) => form.setFieldValue(field, chosen.join(','))}
    >
      <div className={classes.row}>
        {Object.entries<string>(labels).map(([option, label]) => (
          <Chip key={option} value={option} variant="outline">
            {label}
          </Chip>
        ))}
      </div>
    </Chip.Group>
  );
}

type SwitchFieldProps = PolicySectionProps & { field: 'mfa' | 'sign_up'; label: string; hint: string };

function SwitchField({ form, field, label, hint }: SwitchFieldProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{label}</legend>
      <div className={classes.row}>
        <SegmentedControl {...form.getInputProps(field)} aria-label={label} data={['Enable', 'Disable']} />
        <span className={classes.hint}>{hint}</span>
      </div>
    </fieldset>
  );
}
