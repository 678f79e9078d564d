import { NativeSelect } from '@mantine/core';
import {
  complexityLabels,
  expirationText,
  factorLabels,
  historyText,
  lengthText,
  policyOptions,
  settingLabels,
} from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useLacksMail } from '../../api/session/mail-delivery.ts';
import { ChipsField } from '../../patterns/form/chips-field.tsx';
import { FactorCount } from '../../patterns/form/factor-count.tsx';
import { FormWarning } from '../../patterns/form/form-warning.tsx';
import { NumberField } from '../../patterns/form/number-field.tsx';
import { SwitchField } from '../../patterns/form/switch-field.tsx';
import classes from './policy-section.module.css';
import { factorReachQuery } from './settings.api.ts';
import { SettingsSection } from './settings-section.tsx';
import type { SettingsForm } from './use-settings-form.ts';

type PolicySectionProps = { form: SettingsForm };

/** §2.10, Users Account Policy, with the options of §9. */
export function PolicySection({ form }: PolicySectionProps) {
  return (
    <SettingsSection
      id="policy"
      description="Applies to people whose home network is this one. Each rule takes effect at the next sign-in or the next change of password."
    >
      <PasswordFields form={form} />
      <LockFields form={form} />
      <MfaFields form={form} />
      <SwitchField
        {...form.getInputProps('sign_up')}
        label={settingLabels.sign_up}
        hint="Whether people without an account may create one on the sign-in page. They confirm their address first and can then use every site that has no group."
      />
      <SessionFields form={form} />
    </SettingsSection>
  );
}

const toOptions = (values: readonly number[], label: (value: number) => string) =>
  values.map((value) => ({ value: String(value), label: label(value) }));

const namedOptions = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** Binds a setting whose value is a list of names, separated by commas. */
const listProps = (form: SettingsForm, field: 'password_complexity' | 'mfa_options') => ({
  value: form.values[field] === '' ? [] : form.values[field].split(','),
  error: form.errors[field],
  onChange: (chosen: string[]) => form.setFieldValue(field, chosen.join(',')),
});

function PasswordFields({ form }: PolicySectionProps) {
  const selectProps = (field: 'password_expiration' | 'password_history' | 'password_length') => ({
    value: String(form.values[field]),
    onChange: (event: { currentTarget: { value: string } }) =>
      form.setFieldValue(field, Number(event.currentTarget.value) as never),
  });
  return (
    <>
      <div className={classes.grid}>
        <NativeSelect
          {...selectProps('password_expiration')}
          label={settingLabels.password_expiration}
          data={toOptions(policyOptions.password_expiration, expirationText)}
        />
        <NativeSelect
          {...selectProps('password_history')}
          label={settingLabels.password_history}
          data={toOptions(policyOptions.password_history, historyText)}
        />
        <NativeSelect
          {...selectProps('password_length')}
          label={settingLabels.password_length}
          data={toOptions(policyOptions.password_length, lengthText)}
        />
      </div>
      <ChipsField
        {...listProps(form, 'password_complexity')}
        label={settingLabels.password_complexity}
        options={namedOptions(complexityLabels)}
      />
    </>
  );
}

function LockFields({ form }: PolicySectionProps) {
  return (
    <div className={classes.grid}>
      <NumberField
        {...form.getInputProps('user_inactivity')}
        min={0}
        label={settingLabels.user_inactivity}
        description="Days without a sign-in until an account is disabled; 0 means unlimited."
      />
      <NumberField
        {...form.getInputProps('failed_tries')}
        min={0}
        max={100}
        label={settingLabels.failed_tries}
        description="Wrong passwords until an account is locked for a while. With 0 (unlimited), it is locked after 100."
      />
    </div>
  );
}

function MfaFields({ form }: PolicySectionProps) {
  const lacksMail = useLacksMail(useAdminNetwork().name);
  const permitsEmail = form.values.mfa_options.split(',').includes('email');
  const nextStep = lacksMail
    ? 'They cannot sign in.'
    : permitsEmail
      ? 'They get a code by email when they sign in.'
      : 'They set up an authenticator app at their next sign-in.';
  /** A rule that permits nothing cannot be saved, so the safer of the two options is chosen first. */
  const handleSwitch = (mfa: 'Enable' | 'Disable') =>
    form.setValues({ mfa, ...(mfa === 'Enable' && form.values.mfa_options === '' && { mfa_options: 'google' }) });
  return (
    <>
      <SwitchField
        {...form.getInputProps('mfa')}
        label={settingLabels.mfa}
        hint="Enable: every site of this network requires a second factor; this wins over the setting of a site. Disable: each site decides. People who have set up a second factor are always asked for it."
        onChange={handleSwitch}
      />
      {form.values.mfa === 'Enable' && <PeopleWithoutFactor next={nextStep} />}
      {form.values.mfa === 'Enable' && lacksMail && (
        <FormWarning>
          No mail server is set up, so {permitsEmail && 'codes by email reach nobody, and '}people without a second
          factor cannot sign in: before they set one up, they have to confirm a code that is emailed to them. Ask
          everybody to set up a second factor on their profile first, you included. People whom you invite can set one
          up as they sign in for the first time, within half an hour and in the browser in which they opened the link.
        </FormWarning>
      )}
      {form.values.mfa === 'Enable' && (
        <ChipsField
          {...listProps(form, 'mfa_options')}
          label={settingLabels.mfa_options}
          description="Passkeys always count as a second factor. Choose what else does."
          options={namedOptions(factorLabels)}
        >
          <NumberField
            {...form.getInputProps('mfa_remember_days')}
            min={0}
            max={90}
            label={settingLabels.mfa_remember_days}
            description="If people choose it, their browser does not ask for the second factor again for that many days. With 0, it asks at every sign-in."
          />
        </ChipsField>
      )}
    </>
  );
}

type PeopleWithoutFactorProps = { next: string };

function PeopleWithoutFactor({ next }: PeopleWithoutFactorProps) {
  const { data: reach } = useQuery(factorReachQuery(useAdminNetwork()));
  if (!reach) return null;
  return <FactorCount people={reach.users} withoutFactor={reach.without_mfa} noun="of this network" next={next} />;
}

function SessionFields({ form }: PolicySectionProps) {
  return (
    <div className={classes.grid}>
      <NumberField
        {...form.getInputProps('session_idle_minutes')}
        min={5}
        max={1440}
        label={settingLabels.session_idle_minutes}
        description="Minutes without use until people sign in again at the sites of this network: 5 to 1,440."
      />
      <NumberField
        {...form.getInputProps('session_hours')}
        min={1}
        max={168}
        label={settingLabels.session_hours}
        description="Hours after which people sign in again even if they were active: 1 to 168."
      />
    </div>
  );
}
