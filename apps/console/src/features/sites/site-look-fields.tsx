import { TextInput } from '@mantine/core';
import { type Site, type SiteImageRemoval, siteLabels } from '@opensocial/contract';
import { imageAddress } from '../../api/links/image-address.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { TileColourFields } from '../../patterns/app-tile/tile-colour-fields.tsx';
import { TilePreview } from '../../patterns/app-tile/tile-preview.tsx';
import { Fold } from '../../patterns/fold/fold.tsx';
import { IconField } from '../../patterns/icon-field/icon-field.tsx';
import { ImageField } from '../../patterns/image-field/image-field.tsx';
import classes from './site-look-fields.module.css';
import { clearSiteImage, saveSiteImage } from './sites.api.ts';
import type { SiteForm } from './use-site-form.ts';

type SiteLookFieldsProps = { form: SiteForm; site: Site; network: NetworkRef };

/** Choosing an image already saves it in the site, so there is no form value to change. */
const done = () => {};

/** §2.7, Icons & Background: pictures are saved when they are chosen, colours with the form. */
export function SiteLookFields({ form, site, network }: SiteLookFieldsProps) {
  const { values } = form;
  const clear = (kind: SiteImageRemoval) => () => clearSiteImage(network, site.id, kind);
  const picture = { network: network.name, onChange: done };
  const icon_bg = site.icon_bg && imageAddress({ network: network.name, kind: 'icon', name: site.icon_bg });
  const tile = { ...values, name: values.site_name, icon: site.icon, icon_bg };
  return (
    <Fold title="Icons & Background">
      <div className={classes.look}>
        <TilePreview app={tile} />
        <TileColourFields app={tile} onChange={(field, colour) => form.setFieldValue(field, colour)} />
      </div>
      <IconField
        label={siteLabels.icon}
        value={site.icon}
        onChange={done}
        onChoose={({ svg }) => saveSiteImage(network, site.id, { icon: svg })}
        onRemove={clear('remove_icon')}
      />
      <TextInput
        label={siteLabels.icon_width}
        description="Width in pixels on the desktop, from 16 to 256. A tile has room for 92, and for 72 on a phone: a larger icon fills it."
        type="number"
        min={16}
        max={256}
        value={values.icon_width}
        onChange={({ currentTarget: { valueAsNumber: size } }) =>
          form.setValues({ icon_width: size, icon_height: size })
        }
        error={form.errors['icon_width']}
      />
      <ImageField
        {...picture}
        label={siteLabels.icon_bg}
        description="Fills the tile instead of the icon."
        kind="icon"
        value={site.icon_bg}
        onChoose={({ name }) => saveSiteImage(network, site.id, { icon_bg: name })}
        onRemove={clear('remove_icon_bg')}
      />
      <ImageField
        {...picture}
        label={siteLabels.logo}
        kind="image"
        value={site.logo}
        onChoose={({ name }) => saveSiteImage(network, site.id, { logo: name })}
        onRemove={clear('remove_logo')}
      />
      <ImageField
        {...picture}
        label={siteLabels.background}
        description="Behind the sign-in page."
        kind="image"
        wide
        value={site.background}
        onChoose={({ name }) => saveSiteImage(network, site.id, { background: name })}
        onRemove={clear('remove_bg')}
      />
    </Fold>
  );
}
