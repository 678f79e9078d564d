import { describe, expect, test } from 'vitest';
import { attributeFrom, knownAttributes, proposeAttribute } from './attribute-catalogue.ts';
import { attributePresets, defaultAttributes } from './attribute-presets.ts';
import { Attribute, SiteAttributesChanges } from './sites.attributes.schemas.ts';

const release = {
  name_id_format: 'requested',
  name_id_source: 'email',
  attributes: null,
  attribute_index: null,
  further_attributes: [],
};
const faultOf = (changes: object): string | undefined => {
  const { error } = SiteAttributesChanges.safeParse({ ...release, ...changes });
  const [issue] = error?.issues ?? [];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
};
const mail = attributeFrom('email', 'mail', 'basic');
const constant = (values: string[], name = 'role') => ({ ...mail, name, source: 'constant', values });

describe('§7.4 a list of attributes', () => {
  test('may be the default one, empty, or as long as 50', () => {
    for (const attributes of [null, [], Array.from({ length: 50 }, (_, n) => constant(['x'], `a${n}`))])
      expect(faultOf({ attributes })).toBeUndefined();
    const attributes = Array.from({ length: 51 }, (_, n) => constant(['x'], `a${n}`));
    expect(faultOf({ attributes })).toBe('attributes: At most 50 attributes.');
  });

  test('has each name once per name format', () => {
    expect(faultOf({ attributes: [mail, { ...mail, name_format: 'uri' }] })).toBeUndefined();
    const message = 'Another attribute has the same name and name format.';
    expect(faultOf({ attributes: [mail, { ...mail, name: ' mail ' }] })).toBe(`attributes.1.name: ${message}`);
  });

  test.each([
    ['name', { ...mail, name: ' ' }, 'Enter the name'],
    ['name', { ...mail, name: 'a\u0000b' }, 'Control characters and line breaks are not allowed.'],
    ['name', { ...mail, name: 'a\nb' }, 'Control characters and line breaks are not allowed.'],
    ['name', { ...mail, name: 'a\u0085b' }, 'Control characters and line breaks are not allowed.'],
    ['name', { ...mail, name: 'a\uD800b' }, 'Control characters and line breaks are not allowed.'],
    ['name', { ...mail, name: 'a\uFFFFb' }, 'Control characters and line breaks are not allowed.'],
    ['name', { ...mail, name: 'x'.repeat(501) }, 'At most 500'],
    ['friendly_name', { ...mail, friendly_name: 'a\u001Fb' }, 'Control characters and line breaks are not allowed.'],
    ['values', constant([]), 'Enter the value.'],
    ['values.0', constant(['']), 'Enter the value.'],
    ['values.1', constant(['a', 'b\u0007']), 'Control characters and line breaks are not allowed.'],
    ['values', constant(Array.from({ length: 11 }, (_, n) => `${n}`)), 'at most 10'],
    ['separator', { ...attributeFrom('groups', 'g', 'basic'), separator: '123456' }, 'At most 5'],
    ['source', { ...mail, source: 'password_hash' }, 'Invalid'],
    ['name_format', { ...mail, name_format: 'urn:x' }, 'Invalid'],
    ['', { ...mail, values: ['x'] }, 'Unrecognized'],
  ])('refuses a wrong %s', (path, attribute, message) => {
    const fault = faultOf({ attributes: [attribute] });
    expect(fault).toContain(path === '' ? 'attributes.0:' : `attributes.0.${path}:`);
    expect(fault).toContain(message);
  });

  test('identifies people only by values that are unique and that they cannot edit', () => {
    const identifiers = {
      'urn:oid:1.3.6.1.4.1.5923.1.1.1.6': 'eduPersonPrincipalName',
      MAIL: 'mail',
      uid: 'uid',
      'https://aws.amazon.com/SAML/Attributes/RoleSessionName': 'RoleSessionName',
    };
    for (const [name, identifier] of Object.entries(identifiers)) {
      const message = `Applications recognise people by ${identifier}, so it must be different for everybody. Choose the email address, the user ID or the persistent ID.`;
      for (const source of ['email', 'uid', 'persistent_id'])
        expect(Attribute.safeParse({ ...mail, name, source }).success).toBe(true);
      for (const source of ['firstname', 'lastname', 'fullname', 'network'])
        expect(faultOf({ attributes: [{ ...mail, name, source }] })).toBe(`attributes.0.source: ${message}`);
      expect(faultOf({ attributes: [constant(['root@northlab.org'], name)] })).toContain(message);
    }
    expect(Attribute.safeParse({ ...mail, name: 'constructor', source: 'fullname' }).success).toBe(true);
  });
});

describe('§7.4 the release of a site', () => {
  test('has a source only for the formats that need one', () => {
    for (const name_id_format of ['emailAddress', 'unspecified'])
      expect(faultOf({ name_id_format, name_id_source: 'uid' })).toBeUndefined();
    for (const name_id_format of ['requested', 'persistent', 'transient'])
      expect(faultOf({ name_id_format, name_id_source: 'uid' })).toContain('name_id_source');
    expect(faultOf({ name_id_format: 'emailAddress', name_id_source: 'fullname' })).toContain('name_id_source');
  });

  test('has an index of its own for each list', () => {
    const list = (index: number) => ({ index, attributes: [mail] });
    expect(faultOf({ attribute_index: 0, further_attributes: [list(1), list(2)] })).toBeUndefined();
    expect(faultOf({ attribute_index: 1, further_attributes: [list(1)] })).toContain('index of its own');
    expect(faultOf({ further_attributes: [list(1), list(1)] })).toContain('index of its own');
    expect(faultOf({ further_attributes: [list(65_536)] })).toBeDefined();
    const many = Array.from({ length: 41 }, (_, n) => constant(['x'], `a${n}`));
    const further_attributes = Array.from({ length: 5 }, (_, index) => ({ index, attributes: many }));
    expect(faultOf({ further_attributes })).toContain('at most 200');
  });
});

describe('§2.7 presets and proposals', () => {
  test('every preset is valid, apart from the constants to fill in', () => {
    for (const { attributes, name_id_format } of attributePresets) {
      const filled = attributes?.map((each) =>
        'values' in each ? { ...each, values: each.values.map((v) => v || 'x') } : each,
      );
      expect(faultOf({ name_id_format, attributes: filled ?? null })).toBeUndefined();
    }
    expect(faultOf({ attributes: defaultAttributes })).toBeUndefined();
  });

  test('every known attribute satisfies a request by its OID, its friendly name and each alias', () => {
    for (const { name, friendlyName, source, aliases } of knownAttributes)
      for (const asked of [name, friendlyName, friendlyName.toUpperCase(), ...aliases]) {
        const proposal = proposeAttribute({ name: asked, nameFormat: 'uri', friendlyName: undefined });
        expect(proposal).toMatchObject({ name: asked, name_format: 'uri', source });
        expect(Attribute.safeParse(proposal).success).toBe(true);
      }
  });

  test('the friendly name counts only for an OID that we do not know', () => {
    const propose = (name: string, friendlyName: string) => proposeAttribute({ name, nameFormat: 'uri', friendlyName });
    expect(propose('urn:oid:1.2.3', 'mail')).toMatchObject({ source: 'email', name: 'urn:oid:1.2.3' });
    expect(propose('salary', 'mail')).toBeUndefined();
    expect(propose('urn:oid:1.2.3', 'salary')).toBeUndefined();
  });
});
