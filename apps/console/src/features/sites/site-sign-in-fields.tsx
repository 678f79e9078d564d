import { Chip, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { LoginType } from '@opensocial/contract';
import { mainNetwork } from '../../api/session/role.ts';
import classes from '../../patterns/form/form.module.css';
import type { SiteForm } from './use-site-form.ts';

type SiteSignInFieldsProps = { form: SiteForm; network: string };

/** §2.7: sites of the main network do not offer the login through the main network, which would be the same as the email login. */
const typesOn = (network: string): readonly LoginType[] =>
  LoginType.options.filter((type) => type !== 'opensocial' || network !== mainNetwork);

export function SiteSignInFields({ form, network }: SiteSignInFieldsProps) {
  return (
    <>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Multi-factor Authentication</legend>
        <div className={classes.row}>
          <SegmentedControl
            {...form.getInputProps('mfa')}
            aria-label="Multi-factor Authentication"
            data={['Enable', 'Disable']}
          />
        </div>
      </fieldset>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Login types</legend>
        <Chip.Group multiple {...form.getInputProps('auth_options')}>
          <div className={classes.row}>
            {typesOn(network).map((type) => (
              <Chip key={type} value={type} variant="outline">
                {type}
              </Chip>
            ))}
          </div>
        </Chip.Group>
      </fieldset>
      <Switch
        label="email login"
        checked={form.values.email_login === 1}
        onChange={(event) => form.setFieldValue('email_login', event.currentTarget.checked ? 1 : false)}
      />
      <TextInput
        {...form.getInputProps('custom_auth_options')}
        label="Custom auth options"
        description="Names of further sign-in services, separated by commas."
        autoComplete="off"
      />
    </>
  );
}
