import { TextInput } from '@mantine/core';
import { FooterType, type NetworkSettings, settingLabels } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { errorTextOr } from '../../api/transport/error-text.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { FormError } from '../../patterns/form/form-error.tsx';
import { SegmentedField } from '../../patterns/form/segmented-field.tsx';
import { ImageField } from '../../patterns/image-field/image-field.tsx';
import { RichText } from '../../patterns/rich-text/rich-text.tsx';
import { showFault } from '../../patterns/toast/show-fault.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { done } from './look-section.tsx';
import { clearNetworkImage, saveFooterType, saveNetworkImage } from './settings.api.ts';
import { SettingsSection } from './settings-section.tsx';
import type { SettingsForm } from './use-settings-form.ts';

type FooterSectionProps = { form: SettingsForm; network: NetworkRef; settings: NetworkSettings };

/** §2.10, Footer Settings. The type saves at once (§4). */
export function FooterSection({ form, network, settings }: FooterSectionProps) {
  const saving = useMutation(saveFooterType(network));
  const shown = saving.isPending ? saving.variables : settings.footer_type;
  const handleType = (type: string) => {
    const footer_type = FooterType.parse(type);
    if (saving.isPending || footer_type === settings.footer_type) return;
    saving.mutate(footer_type, {
      onSuccess: () => showSuccess('Footer type updated successfully'),
      onError: (error) => showFault(errorTextOr(error, 'Failed to update footer type')),
    });
  };
  return (
    <SettingsSection
      id="footer"
      description="Shown at the bottom of the sign-in page."
      savesAtOnce="The type and the logo are saved as soon as you choose them. The content of the other type is kept."
    >
      <SegmentedField
        label={settingLabels.footer_type}
        data={[...FooterType.options]}
        value={shown}
        onChange={handleType}
      />
      {shown === 'Logo' ? (
        <>
          <ImageField
            label={settingLabels.footer}
            network={network.name}
            kind="image"
            value={settings.footer}
            onChange={done}
            onChoose={({ name }) => saveNetworkImage(network, { footer: name })}
            onRemove={() => clearNetworkImage(network, 'remove_footer')}
          />
          {settings.footer !== '' && (
            <TextInput
              {...form.getInputProps('footer_link')}
              label={settingLabels.footer_link}
              description="The page that the logo links to. If it is empty, the logo is not a link."
              type="url"
              autoComplete="off"
            />
          )}
        </>
      ) : (
        <>
          <RichText
            label={settingLabels.custom_footer}
            value={form.getInitialValues().custom_footer}
            onChange={(html) => form.setFieldValue('custom_footer', html)}
          />
          <FormError>{form.errors['custom_footer']}</FormError>
        </>
      )}
    </SettingsSection>
  );
}
