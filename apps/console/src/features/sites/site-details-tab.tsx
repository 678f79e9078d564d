import '../../patterns/form/fields.css';
import { Skeleton } from '@mantine/core';
import { type Site, siteLabels } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { toSites } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useConflict } from '../../patterns/conflict/use-conflict.tsx';
import classes from '../../patterns/form/form.module.css';
import { PanelFooter } from '../../patterns/side-panel/panel-footer.tsx';
import { UnsavedGuard } from '../../patterns/side-panel/unsaved-guard.tsx';
import { showErrorField } from '../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { NoLoginDialog } from './no-login-dialog.tsx';
import { SiteGeneralFields } from './site-general-fields.tsx';
import { SiteLookFields } from './site-look-fields.tsx';
import { SiteModeFields } from './site-mode-fields.tsx';
import { SiteSignInFields } from './site-sign-in-fields.tsx';
import { findLogins, reloadSite, saveSite, siteQuery } from './sites.api.ts';
import { type SiteValues, toValues, useSiteForm } from './use-site-form.ts';

/** §2.7, Site Details. */
export function SiteDetailsTab() {
  const { site_id = '' } = useParams();
  const { data: site } = useQuery(siteQuery(Number(site_id)));
  return site ? <SiteDetailsForm key={site.id} site={site} /> : <Placeholder />;
}

type SiteDetailsFormProps = { site: Site };

function SiteDetailsForm({ site }: SiteDetailsFormProps) {
  const network = useAdminNetwork();
  const formId = useId();
  const navigate = useNavigate();
  const { search } = useLocation();
  const form = useSiteForm(site);
  const saving = useMutation(saveSite(network, site.id));

  const { handleConflict, conflictDialog } = useConflict({
    form,
    load: async () => toValues(await reloadSite(site.id)),
    save: (values) => save(values),
    busy: saving.isPending,
    labels: siteLabels,
  });
  const [isAsking, setIsAsking] = useState(false);
  const [locksOut, setLocksOut] = useState(false);
  const isBusy = saving.isPending || isAsking;

  /** Asks for confirmation first if nobody could sign in to the site. */
  const handleSubmit = async (values: SiteValues) => {
    if (isBusy) return;
    if (values.email_login === 1) return save(values);
    setIsAsking(true);
    try {
      const usable = await findLogins(site.id, values);
      if (usable.length > 0) save(values);
      else setLocksOut(true);
    } catch (error) {
      showErrorField(error);
    } finally {
      setIsAsking(false);
    }
  };
  const save = (values: SiteValues) => {
    const { id, name, domain, identity, logo, background, icon, icon_bg } = site;
    saving.mutate(
      { ...values, id, name, domain, identity, logo, background, icon, icon_bg, with_out_group: 'yes' },
      {
        onError: (error) => void (handleConflict(error) || showErrorField(error)),
        onSuccess: (saved) => {
          const current = toValues(saved);
          form.setValues(current);
          form.resetDirty(current);
          showSuccess('Site sucessfully updated.');
        },
        onSettled: () => setLocksOut(false),
      },
    );
  };
  return (
    <form
      id={formId}
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((values) => void handleSubmit(values))}
    >
      <SiteModeFields form={form} site={site} />
      <SiteGeneralFields form={form} site={site} />
      <SiteSignInFields form={form} site={site} network={network.name} />
      <SiteLookFields form={form} site={site} network={network} />
      <PanelFooter
        action="update site"
        busy={isBusy}
        form={formId}
        onCancel={() => void navigate({ pathname: toSites(network.name), search })}
      />
      <UnsavedGuard active={form.isDirty()} />
      {locksOut && (
        <NoLoginDialog
          values={form.getValues()}
          busy={saving.isPending}
          onConfirm={() => save(form.getValues())}
          onCancel={() => setLocksOut(false)}
        />
      )}
      {conflictDialog}
    </form>
  );
}

function Placeholder() {
  return (
    <div className={classes.form} role="status" aria-label="Loading the site">
      {[42, 66, 66, 66, 66, 66].map((height, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the placeholders never change
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </div>
  );
}
