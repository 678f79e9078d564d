import { type NetworkSettings, settingLabels } from '@opensocial/contract';
import { mainNetwork } from '../../api/session/role.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { ImageField } from '../../patterns/image-field/image-field.tsx';
import { clearNetworkImage, saveNetworkImage } from './settings.api.ts';
import { SettingsSection } from './settings-section.tsx';

type LookSectionProps = { network: NetworkRef; settings: NetworkSettings };

/** Choosing an image already saves it in the settings, so there is no form value to change. */
export const done = () => {};

const sites = 'Shown when people sign in to a site of this network that has no logo or background of its own';
const ofNetwork = `${sites}. The sign-in page of this console has the look of the main network. The page on which people set their first password always looks the same.`;
const ofMainNetwork = `${sites}, and when they sign in to this console. The page on which people set their first password always looks the same.`;

/** §2.10, Global Logo and Global Background: saved when they are chosen. */
export function LookSection({ network, settings }: LookSectionProps) {
  const picture = { network: network.name, kind: 'image', onChange: done } as const;
  return (
    <SettingsSection
      id="look"
      description={network.name === mainNetwork ? ofMainNetwork : ofNetwork}
      savesAtOnce="A picture is saved as soon as you choose it."
    >
      <ImageField
        {...picture}
        label={settingLabels.logo}
        description="Shown above the form."
        value={settings.logo}
        onChoose={({ name }) => saveNetworkImage(network, { logo: name })}
        onRemove={() => clearNetworkImage(network, 'remove_logo')}
      />
      <ImageField
        {...picture}
        label={settingLabels.background}
        description="Fills the page behind the form."
        wide
        value={settings.background}
        onChoose={({ name }) => saveNetworkImage(network, { background: name })}
        onRemove={() => clearNetworkImage(network, 'remove_bg')}
      />
    </SettingsSection>
  );
}
