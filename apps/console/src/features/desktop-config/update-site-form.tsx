import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { conflictOf, type Site, SiteInfo } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useNavigate } from 'react-router';
import { toUserDesktop } from '../../api/links/panel-links.ts';
import { errorText } from '../../api/transport/error-text.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { TileColourFields } from '../../patterns/app-tile/tile-colour-fields.tsx';
import { tileColours } from '../../patterns/app-tile/tile-colours.ts';
import { TilePreview } from '../../patterns/app-tile/tile-preview.tsx';
import { useConflict } from '../../patterns/conflict/use-conflict.tsx';
import formClasses from '../../patterns/form/form.module.css';
import { schemaFaults } from '../../patterns/form/schema-faults.ts';
import { IconField } from '../../patterns/icon-field/icon-field.tsx';
import { ImageField } from '../../patterns/image-field/image-field.tsx';
import { PanelFooter } from '../../patterns/side-panel/panel-footer.tsx';
import { UnsavedGuard } from '../../patterns/side-panel/unsaved-guard.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { reloadTile, saveTile, tileLookOf } from './desktop-config.api.ts';
import classes from './update-site-form.module.css';

type UpdateSiteFormProps = {
  site: Site;
  /** The address that the tile opens if the site has none of its own. */
  shownUrl: string;
  network: NetworkRef;
};

const labels = {
  site_name: 'Site Name',
  login_url: 'Login URL',
  icon: 'Site Icon',
  icon_bg: 'Icon Picture',
  ...Object.fromEntries(tileColours),
};

const toInfo = (site: Site, shownUrl: string): SiteInfo => ({
  id: site.id,
  version: site.version,
  site_name: site.site_name,
  login_url: site.login_url || shownUrl,
  icon_color: site.icon_color,
  icon_background: site.icon_background,
  text_color: site.text_color,
  text_background: site.text_background,
  icon_width: site.icon_width,
  icon: site.icon,
  icon_bg: site.icon_bg,
});

/** The name, the address and the tile of a site, saved together. */
export function UpdateSiteForm({ site, shownUrl, network }: UpdateSiteFormProps) {
  const formId = useId();
  const navigate = useNavigate();
  const saving = useMutation(saveTile(network));
  const form = useForm<SiteInfo>({
    initialValues: toInfo(site, shownUrl),
    validate: schemaFaults(SiteInfo),
    validateInputOnBlur: true,
  });
  const { values } = form;
  const { handleConflict, conflictDialog } = useConflict({
    form,
    load: async () => toInfo(await reloadTile(site.id), shownUrl),
    save: (info) => handleSubmit(info),
    busy: saving.isPending,
    labels,
  });
  const handleSubmit = (info: SiteInfo) => {
    if (saving.isPending) return;
    saving.mutate(info, {
      onError: handleConflict,
      onSuccess: (saved) => {
        const current = toInfo(saved, info.login_url);
        form.setValues(current);
        form.resetDirty(current);
        showSuccess('Site sucessfully updated.');
      },
    });
  };
  const tile = { ...tileLookOf(network, values), name: values.site_name || ' ' };
  return (
    <form id={formId} className={formClasses.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      <div className={classes.look}>
        <TilePreview app={tile} />
        <TileColourFields app={tile} onChange={(field, colour) => form.setFieldValue(field, colour)} />
      </div>
      <TextInput {...form.getInputProps('site_name')} label="Site Name" autoComplete="off" withAsterisk />
      <TextInput
        {...form.getInputProps('login_url')}
        label="Login URL"
        description="The tile opens this address in a new tab."
        type="url"
        autoComplete="off"
        spellCheck={false}
        withAsterisk
      />
      <IconField label="Site Icon" value={values.icon} onChange={(svg) => form.setFieldValue('icon', svg)} />
      <ImageField
        label="Icon Picture"
        description="Fills the tile instead of the icon."
        network={network.name}
        kind="icon"
        value={values.icon_bg}
        onChange={(name) => form.setFieldValue('icon_bg', name)}
      />
      {saving.isError && !conflictOf(saving.error) && (
        <p className={formClasses.fault} role="alert">
          {errorText(saving.error)}
        </p>
      )}
      <PanelFooter
        action="update site"
        busy={saving.isPending}
        form={formId}
        onCancel={() => void navigate(toUserDesktop(network.name), { preventScrollReset: true })}
      />
      <UnsavedGuard active={form.isDirty()} />
      {conflictDialog}
    </form>
  );
}
