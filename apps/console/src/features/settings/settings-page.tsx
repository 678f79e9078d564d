import '../../patterns/form/fields.css';
import { Skeleton } from '@mantine/core';
import { type NetworkSettings, SocialProvider, settingLabels } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useConflict } from '../../patterns/conflict/use-conflict.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { PageHeading } from '../../patterns/page/page-heading.tsx';
import { UnsavedGuard } from '../../patterns/side-panel/unsaved-guard.tsx';
import { showErrorField } from '../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { FooterSection } from './footer-section.tsx';
import { IdentitySection } from './identity-section.tsx';
import { affectsAnybody, type Impact, ImpactDialog } from './impact-dialog.tsx';
import { LegalSection } from './legal-section.tsx';
import { LookSection } from './look-section.tsx';
import { PolicySection } from './policy-section.tsx';
import { findImpact, findLoginImpact, reloadSettings, saveSettings, settingsQuery } from './settings.api.ts';
import { SettingsFooter } from './settings-footer.tsx';
import { SettingsNav } from './settings-nav.tsx';
import classes from './settings-page.module.css';
import { SignInPreview } from './sign-in-preview.tsx';
import { OidcKeysSection } from './signing-keys/oidc-keys-section.tsx';
import { SigningKeysSection } from './signing-keys/signing-keys-section.tsx';
import { SocialSection } from './social-section.tsx';
import { type SettingsValues, toValues, useSettingsForm } from './use-settings-form.ts';

/** §2.10. */
export function SettingsPage() {
  const network = useAdminNetwork();
  const settings = useQuery(settingsQuery(network));
  const [revision, setRevision] = useState(0);
  return (
    <>
      <PageHeading eyebrow={network.name} title="SSO Server Details" />
      {settings.isLoadingError ? (
        <ErrorPanel onRetry={settings.refetch} retrying={settings.isFetching} />
      ) : settings.data ? (
        // A new form drops what was typed, in the editor of the footer too.
        <SettingsForm key={revision} settings={settings.data} onDiscard={() => setRevision(revision + 1)} />
      ) : (
        <Placeholder />
      )}
    </>
  );
}

type SettingsFormProps = { settings: NetworkSettings; onDiscard: () => void };

const policyFields = ['password_expiration', 'user_inactivity', 'mfa'] as const;

/** The services with both a key and a secret. The mask stands for a stored secret. */
const providersWithKeys = (values: SettingsValues): SocialProvider[] =>
  SocialProvider.options.filter(
    (provider) => values[`${provider}_key`].trim() !== '' && values[`${provider}_secret`] !== '',
  );

function SettingsForm({ settings, onDiscard }: SettingsFormProps) {
  const network = useAdminNetwork();
  const form = useSettingsForm(settings);
  const saving = useMutation(saveSettings(network));
  const [impact, setImpact] = useState<Impact>();
  const [isAsking, setIsAsking] = useState(false);
  const [isPreviewOpen, setIsPreviewOpen] = useState(false);
  const isBusy = saving.isPending || isAsking;

  const { handleConflict, conflictDialog } = useConflict({
    form,
    load: async () => toValues(await reloadSettings(network)),
    save: (values) => save(values),
    busy: saving.isPending,
    labels: settingLabels,
  });
  const save = (values: SettingsValues) =>
    saving.mutate(values, {
      onError: (error) => void (handleConflict(error) || showErrorField(error)),
      onSuccess: (saved) => {
        const current = toValues(saved);
        form.setInitialValues(current);
        form.setValues(current);
        form.resetDirty(current);
        showSuccess('Your request successfully updated');
      },
      onSettled: () => setImpact(undefined),
    });

  const collectImpact = async (values: SettingsValues): Promise<Impact> => {
    const { password_expiration, user_inactivity, mfa } = values;
    const keyed = providersWithKeys(values);
    const losesKeys = providersWithKeys(form.getInitialValues()).some((provider) => !keyed.includes(provider));
    return {
      policy: policyFields.some((field) => form.isDirty(field))
        ? await findImpact(network, {
            password_expiration,
            user_inactivity,
            // Nobody is affected again by a rule that is on already.
            mfa: form.isDirty('mfa') ? mfa : 'Disable',
          })
        : undefined,
      logins: losesKeys ? await findLoginImpact(network, keyed) : undefined,
    };
  };

  /** Asks for confirmation first if the change affects people or sites. */
  const handleSubmit = async (values: SettingsValues) => {
    if (isBusy) return;
    setIsAsking(true);
    try {
      const found = await collectImpact(values);
      if (affectsAnybody(found)) setImpact(found);
      else save(values);
    } catch (error) {
      showErrorField(error);
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((values) => void handleSubmit(values), focusFirstFault)}
    >
      <SettingsNav />
      <div className={classes.sections}>
        <LookSection network={network} settings={settings} />
        <SocialSection form={form} />
        <PolicySection form={form} />
        <IdentitySection network={network} />
        <SigningKeysSection network={network} />
        <OidcKeysSection network={network} />
        <LegalSection form={form} />
        <FooterSection form={form} network={network} settings={settings} />
        <SettingsFooter
          form={form}
          busy={isBusy}
          isPreviewOpen={isPreviewOpen}
          onPreview={() => setIsPreviewOpen(!isPreviewOpen)}
          onDiscard={onDiscard}
        />
      </div>
      {isPreviewOpen && (
        <SignInPreview
          network={network}
          settings={settings}
          values={form.values}
          onClose={() => setIsPreviewOpen(false)}
        />
      )}
      <UnsavedGuard active={form.isDirty()} />
      {impact && (
        <ImpactDialog
          impact={impact}
          busy={saving.isPending}
          onConfirm={() => save(form.getValues())}
          onCancel={() => setImpact(undefined)}
        />
      )}
      {conflictDialog}
    </form>
  );
}

/** Scrolls to the first error, which may be outside the visible part of the page. */
const focusFirstFault = (): void => {
  requestAnimationFrame(() => {
    const fault = document.querySelector<HTMLElement>('form [aria-invalid="true"], form [role="alert"]');
    fault?.scrollIntoView({ block: 'center' });
    fault?.focus();
  });
};

function Placeholder() {
  return (
    <div className={classes.placeholder} role="status" aria-label="Loading the settings">
      {[180, 320, 320].map((height, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the placeholders never change
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </div>
  );
}
