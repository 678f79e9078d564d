import { Button, Skeleton } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconBrandApple, IconBrandGooglePlay } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { CopyField } from '../../../patterns/copy-field/copy-field.tsx';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { CodeField } from '../../../patterns/form/code-field.tsx';
import { DismissedSignInError } from '../../../patterns/form/dismissed-sign-in.tsx';
import { SubmitButton } from '../../../patterns/form/submit-button.tsx';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { LearnMore } from './learn-more.tsx';
import { confirmTotpSecret, mfaSecretQuery } from './mfa.api.ts';
import classes from './totp-dialog.module.css';

const stores = [
  {
    name: 'Google Play',
    icon: IconBrandGooglePlay,
    href: 'https://play.google.com/store/apps/details?id=com.google.android.apps.authenticator2',
  },
  { name: 'App Store', icon: IconBrandApple, href: 'https://apps.apple.com/app/google-authenticator/id388497605' },
];

/** Half of the lifetime of the secret on the server. A user who needed longer to install an app gets a new secret. */
const secretMaxAge = 5 * 60_000;

type TotpSetupProps = { onComplete: (recoveryCodes: readonly string[]) => void };

/** §2.12, Inactive. */
export function TotpSetup({ onComplete }: TotpSetupProps) {
  const secret = useQuery(mfaSecretQuery(useSessionUser()));
  const [hasApp, setHasApp] = useState(false);
  const handleContinue = () => {
    setHasApp(true);
    if (Date.now() - secret.dataUpdatedAt > secretMaxAge) void secret.refetch();
  };
  if (!hasApp) return <InstallApp onContinue={handleContinue} />;
  if (secret.isError) return <ErrorPanel onRetry={secret.refetch} retrying={secret.isFetching} />;
  if (!secret.data || secret.isFetching) return <Skeleton height={176} radius="md" aria-label="Loading" />;
  return (
    <ProveApp
      key={secret.data.key}
      secret={secret.data}
      onNewKey={() => void secret.refetch()}
      onComplete={onComplete}
    />
  );
}

type InstallAppProps = { onContinue: () => void };

function InstallApp({ onContinue }: InstallAppProps) {
  return (
    <div className={classes.body}>
      <ol className={classes.steps}>
        <li>
          Install an authenticator app on your phone, such as Google Authenticator. Any app for TOTP codes will do.
        </li>
        <li>Press Continue, and scan the QR code with the app.</li>
        <li>Enter the 6-digit code that the app shows.</li>
      </ol>
      <div className={classes.stores}>
        {stores.map(({ name, icon: StoreIcon, href }) => (
          <Button
            key={name}
            component="a"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            variant="default"
            size="sm"
            leftSection={<StoreIcon size={18} stroke={1.7} aria-hidden="true" />}
          >
            {name}
          </Button>
        ))}
      </div>
      <div className={classes.foot}>
        <LearnMore />
        <div className={classes.buttons}>
          <Button data-autofocus onClick={onContinue}>
            Continue
          </Button>
        </div>
      </div>
    </div>
  );
}

type ProveAppProps = TotpSetupProps & { secret: { key: string; img: string }; onNewKey: () => void };

function ProveApp({ secret, onNewKey, onComplete }: ProveAppProps) {
  const proving = useMutation(confirmTotpSecret(useSessionUser()));
  const form = useForm({ initialValues: { token: '' } });
  const handleSubmit = ({ token }: typeof form.values) => {
    if (proving.isPending) return;
    proving.mutate(
      { secret: secret.key, token },
      {
        onError: showError,
        onSuccess: (answer) => {
          if (answer === 'FALSE') form.setFieldError('token', 'Unable to validate the provided code');
          else onComplete(answer.recovery_codes);
        },
      },
    );
  };
  return (
    <form className={classes.body} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      <p>Scan the QR code with your authenticator app, or type the key into it.</p>
      <div className={classes.secret}>
        <img className={classes.qr} src={secret.img} alt="QR code for your authenticator app" />
        <dl className={classes.key}>
          <CopyField label="Key" value={secret.key} shown={secret.key.replaceAll(/.{4}(?=.)/g, '$& ')} />
        </dl>
      </div>
      <CodeField {...form.getInputProps('token')} label="6-digit code" autoFocus />
      {form.errors['token'] && (
        <button type="button" className={classes.aside} onClick={onNewKey}>
          Show a new key
        </button>
      )}
      <DismissedSignInError busy={proving.isPending} />
      <div className={classes.foot}>
        <LearnMore />
        <div className={classes.buttons}>
          <SubmitButton busy={proving.isPending}>Submit</SubmitButton>
        </div>
      </div>
    </form>
  );
}
