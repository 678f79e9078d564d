import { useForm } from '@mantine/form';
import { type Site, SiteChanges } from '@opensocial/contract';
import { schemaFaults } from '../../patterns/form/schema-faults.ts';

/** The values of the form. Pictures and the icon are saved when they are chosen. */
export type SiteValues = Omit<
  Site,
  'id' | 'name' | 'domain' | 'identity' | 'protocol' | 'logo' | 'background' | 'icon' | 'icon_bg'
>;

export const toValues = ({
  id: _id,
  name: _name,
  domain: _domain,
  identity: _identity,
  protocol: _protocol,
  logo: _logo,
  background: _background,
  icon: _icon,
  icon_bg: _picture,
  ...values
}: Site): SiteValues => values;

const fixed = { logo: '', background: '', icon: '', icon_bg: '', with_out_group: 'yes' };
const faultsOf = schemaFaults(SiteChanges);

export const useSiteForm = (site: Site) =>
  useForm<SiteValues>({
    initialValues: toValues(site),
    validate: (values) => faultsOf({ ...values, ...fixed }),
    validateInputOnBlur: true,
  });

export type SiteForm = ReturnType<typeof useSiteForm>;
