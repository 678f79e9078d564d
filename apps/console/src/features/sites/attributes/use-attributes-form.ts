import { useForm } from '@mantine/form';
import { describeClaimFault, type SiteAttributes, SiteAttributesChanges } from '@opensocial/contract';
import { type AttributeRow, type ReleaseKind, toAttribute, toRow } from './attribute-rows.ts';

export type AttributesValues = Omit<SiteAttributes, 'attributes' | 'further_attributes'> & {
  attributes: AttributeRow[] | null;
  further_attributes: { index: number | null; attributes: AttributeRow[] }[];
};

export const toValues = ({ attributes, further_attributes, ...rest }: SiteAttributes): AttributesValues => ({
  ...rest,
  attributes: attributes && attributes.map(toRow),
  further_attributes: further_attributes.map((list) => ({ ...list, attributes: list.attributes.map(toRow) })),
});

/** The values as the calls take them. The schema refuses a list without an index. */
export const toChanges = ({ attributes, further_attributes, ...rest }: AttributesValues): SiteAttributesChanges => ({
  ...rest,
  attributes: attributes && attributes.map(toAttribute),
  further_attributes: further_attributes.map(({ index, attributes: rows }) => ({
    index: index ?? Number.NaN,
    attributes: rows.map(toAttribute),
  })),
});

const indexFault = 'Enter an index between 0 and 65,535.';

/** The faults by the path of the field. The values of a constant are one field. */
const faultsOf = (values: AttributesValues): Record<string, string> => {
  const { error } = SiteAttributesChanges.safeParse(toChanges(values));
  const faults: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) {
    const field = path.join('.').replace(/\.values(?:\.\d+)?$/, '.lines');
    const isIndex = /(?:^|[._])index$/.test(field);
    faults[field] ??= isIndex ? indexFault : message;
  }
  return faults;
};

/** The faults that only claims can have. */
const claimFaultsOf = ({ attributes }: AttributesValues): Record<string, string> => {
  const claims = (attributes ?? []).map(toAttribute);
  const faults = claims.map((claim, index) => [
    `attributes.${index}.name`,
    describeClaimFault(claim, claims.slice(0, index)),
  ]);
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined));
};

export const useAttributesForm = (stored: SiteAttributes, kind: ReleaseKind) =>
  useForm<AttributesValues>({
    initialValues: toValues(stored),
    validate: (values) => ({ ...(kind === 'claims' && claimFaultsOf(values)), ...faultsOf(values) }),
  });

export type AttributesForm = ReturnType<typeof useAttributesForm>;

export const attributeLabels: Readonly<Record<string, string>> = {
  name_id_format: 'Format of the NameID',
  name_id_source: 'Value of the NameID',
  attribute_index: 'Index of the list',
  further_attributes: 'Lists for requests with an index',
};
