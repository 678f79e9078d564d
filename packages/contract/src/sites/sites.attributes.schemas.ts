import { z } from 'zod';
import { Id } from '../fields.ts';
import { separateThousands } from '../separate-thousands.ts';
import { basedOn, versioned } from '../versions.ts';
import { describeIdentifier, isUniqueSource } from './attribute-identifiers.ts';

/** How the NameID of a site is chosen: as each request asks, or always the same format. */
export const NameIdFormat = z.enum(['requested', 'emailAddress', 'persistent', 'transient', 'unspecified']);
export type NameIdFormat = z.infer<typeof NameIdFormat>;

/** The value of a NameID in the formats `emailAddress` and `unspecified`. Both are unique, and nobody can edit their own. */
export const NameIdSource = z.enum(['email', 'uid']);
export type NameIdSource = z.infer<typeof NameIdSource>;

export const AttributeNameFormat = z.enum(['basic', 'uri', 'unspecified']);
export type AttributeNameFormat = z.infer<typeof AttributeNameFormat>;

/** The fields of a person that an attribute can have. `persistent_id` is the value of a persistent NameID at the same site. */
export const AttributeField = z.enum(['uid', 'email', 'firstname', 'lastname', 'fullname', 'network', 'persistent_id']);
export type AttributeField = z.infer<typeof AttributeField>;

export const maximumAttributes = 50;
/** The maximum number of attributes of all lists of a site together. */
const maximumInAllLists = 200;

/** Control characters, halves of surrogate pairs and two code points that XML 1.0 cannot represent. */
const unusable = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;

const text = (maximum: number) =>
  z
    .string()
    .max(maximum, `At most ${separateThousands(maximum)} characters.`)
    .refine((value) => !unusable.test(value), 'Control characters and line breaks are not allowed.');

const naming = {
  name: text(500).trim().min(1, 'Enter the name of the attribute.'),
  friendly_name: text(100).trim().default(''),
  name_format: AttributeNameFormat,
};

const FieldAttribute = z.strictObject({ ...naming, source: AttributeField });

/** The person's groups to which the site is assigned. */
const GroupsAttribute = z.strictObject({
  ...naming,
  source: z.literal('groups'),
  /** Only groups whose names begin with this text; empty for all. */
  prefix: text(100).default(''),
  /** Joins the names to one value; empty for one value per group. */
  separator: text(5).default(''),
});

const ConstantAttribute = z.strictObject({
  ...naming,
  source: z.literal('constant'),
  /** The same for everybody. */
  values: z
    .array(text(500).trim().min(1, 'Enter the value.'))
    .min(1, 'Enter the value.')
    .max(10, 'A constant has at most 10 values.'),
});

/** An attribute of the assertions for a site: its name, and where its values come from. */
export const Attribute = z
  .discriminatedUnion('source', [FieldAttribute, GroupsAttribute, ConstantAttribute])
  .superRefine(({ name, source }, context) => {
    const identifier = describeIdentifier(name);
    if (identifier === undefined || isUniqueSource(source)) return;
    const message = `Applications recognise people by ${identifier}, so it must be different for everybody. Choose the email address, the user ID or the persistent ID.`;
    context.addIssue({ code: 'custom', path: ['source'], message });
  });
export type Attribute = z.infer<typeof Attribute>;

/** Service providers would read only one of two attributes with the same name, or both as one. */
export const AttributeList = z
  .array(Attribute)
  .max(maximumAttributes, `At most ${maximumAttributes} attributes.`)
  .superRefine((attributes, context) => {
    const seen = new Set<string>();
    for (const [index, { name, name_format }] of attributes.entries()) {
      const key = JSON.stringify([name, name_format]);
      if (seen.has(key)) {
        const message = 'Another attribute has the same name and name format.';
        context.addIssue({ code: 'custom', path: [index, 'name'], message });
      }
      seen.add(key);
    }
  });

const ServiceIndex = z.int().min(0).max(65_535);

/** What a site learns about people. */
const release = {
  name_id_format: NameIdFormat,
  name_id_source: NameIdSource,
  /** The attributes of each assertion, in this order. Null is the default set of every site; an empty list releases none. */
  attributes: AttributeList.nullable(),
  /** The index of `attributes` in the metadata of the site; null if it is not known. */
  attribute_index: ServiceIndex.nullable(),
  /** The attributes that requests ask for by another index. */
  further_attributes: z.array(z.strictObject({ index: ServiceIndex, attributes: AttributeList })).max(9),
};

const Release = z.object(release);

const checkRelease = (
  { name_id_format, name_id_source, attributes, attribute_index, further_attributes }: z.infer<typeof Release>,
  context: Pick<z.RefinementCtx, 'addIssue'>,
): void => {
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  const hasSource = name_id_format === 'emailAddress' || name_id_format === 'unspecified';
  if (name_id_source !== 'email' && !hasSource)
    refuse(['name_id_source'], 'Only the formats emailAddress and unspecified have a value to choose.');
  const indexes = [attribute_index, ...further_attributes.map(({ index }) => index)].filter((index) => index !== null);
  if (new Set(indexes).size < indexes.length)
    refuse(['further_attributes'], 'Each list of attributes needs an index of its own.');
  const total = [attributes ?? [], ...further_attributes.map((list) => list.attributes)].flat().length;
  if (total > maximumInAllLists)
    refuse(['further_attributes'], `All lists together have at most ${maximumInAllLists} attributes.`);
};

/** What a new site learns about people, if its metadata asks for attributes. */
export const SiteRelease = z.strictObject(release).superRefine(checkRelease);
export type SiteRelease = z.infer<typeof SiteRelease>;

export const SiteAttributes = Release.extend(versioned);
export type SiteAttributes = z.infer<typeof SiteAttributes>;

export const SiteAttributesChanges = z.strictObject({ ...release, ...basedOn }).superRefine(checkRelease);
export type SiteAttributesChanges = z.input<typeof SiteAttributesChanges>;

/** A preview for a person, with values that need not be saved. */
export const AttributesPreviewDraft = z
  .strictObject({ ...release, user_id: Id, index: ServiceIndex.nullable() })
  .superRefine(checkRelease);
export type AttributesPreviewDraft = z.input<typeof AttributesPreviewDraft>;

export const AttributesPreview = z.object({
  /** Why the person could not sign in to the site; null if they could. */
  refusal: z.string().nullable(),
  /** Null if the person could not sign in. */
  assertion: z
    .object({
      name_id: z.object({ value: z.string(), format: z.string() }),
      attributes: z.array(
        z.object({
          name: z.string(),
          friendly_name: z.string(),
          name_format: AttributeNameFormat,
          values: z.array(z.string()),
        }),
      ),
      /** The assertion without a signature, and expired since 1970, so that no application accepts it. */
      xml: z.string(),
    })
    .nullable(),
});
export type AttributesPreview = z.infer<typeof AttributesPreview>;
