import { useForm } from '@mantine/form';
import { type NetworkSettings, SettingsChanges } from '@opensocial/contract';
import { schemaFaults } from '../../patterns/form/schema-faults.ts';

/** What the form holds. Images and the type of the footer are saved as they are chosen. */
export type SettingsValues = Omit<NetworkSettings, 'logo' | 'background' | 'footer' | 'footer_type'>;

export const toValues = ({
  logo: _logo,
  background: _background,
  footer: _footer,
  footer_type: _type,
  ...values
}: NetworkSettings): SettingsValues => values;

const faultsOf = schemaFaults(SettingsChanges);

export const useSettingsForm = (settings: NetworkSettings) =>
  useForm<SettingsValues>({
    initialValues: toValues(settings),
    validate: (values) => faultsOf({ ...values, server: 'any' }),
    validateInputOnBlur: true,
  });

export type SettingsForm = ReturnType<typeof useSettingsForm>;
