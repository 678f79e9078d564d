import { useForm } from '@mantine/form';
import { type NetworkSettings, SettingsChanges, TemplateFields } from '@opensocial/contract';
import { schemaFaults } from '../../patterns/form/schema-faults.ts';

const savedApart = ['logo', 'background', 'footer', 'footer_type', ...Object.keys(TemplateFields.shape)];

/** The values of the form. Images, the footer type and templates are saved separately. */
export type SettingsValues = Omit<
  NetworkSettings,
  'logo' | 'background' | 'footer' | 'footer_type' | keyof TemplateFields
>;

export const toValues = (settings: NetworkSettings): SettingsValues =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !savedApart.includes(name))) as SettingsValues;

const faultsOf = schemaFaults(SettingsChanges);

export const useSettingsForm = (settings: NetworkSettings) =>
  useForm<SettingsValues>({
    initialValues: toValues(settings),
    validate: (values) => faultsOf({ ...values, server: 'any' }),
    validateInputOnBlur: true,
  });

/** The fields whose values are not saved yet. */
export const changedFields = (form: SettingsForm): (keyof SettingsValues)[] =>
  (Object.keys(form.getValues()) as (keyof SettingsValues)[]).filter((field) => form.isDirty(field));

export type SettingsForm = ReturnType<typeof useSettingsForm>;
