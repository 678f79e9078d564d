import { type AttributesPreview, attributeFrom, formatXml, type SiteAttributes } from '@opensocial/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkadminId } from '../../../api/session/admin-network.ts';
import { sessionQuery } from '../../../api/session/session.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { FooterPlaceContext } from '../../../patterns/side-panel/footer-place.ts';
import { peopleNamedAna, sessionUser, site } from '../../../testing/builders.ts';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { SiteAttributesTab } from './site-attributes-tab.tsx';

beforeEach(() => {
  stubLayout();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, { user: sessionUser(), csrf: '' });
});

const stored = (changes: Partial<SiteAttributes> = {}): SiteAttributes => ({
  name_id_format: 'requested',
  name_id_source: 'email',
  attributes: null,
  attribute_index: null,
  further_attributes: [],
  version: 3,
  ...changes,
});
const path = '/server/sso/site_attributes/5';

const show = (changes: Partial<SiteAttributes> = {}, answers = {}) => {
  const asked = stubServer({
    'GET /server/sso/site/5': answer(site()),
    [`GET ${path}`]: answer(stored(changes)),
    [`PUT ${path}`]: answer(stored({ version: 4 })),
    ...answers,
  });
  const footer = document.createElement('div');
  document.body.append(footer);
  renderScreen(
    {
      id: checkadminId,
      path: 'sites/:site_id',
      loader: () => ({ id: 7, name: 'northlab' }),
      element: (
        <FooterPlaceContext value={footer}>
          <SiteAttributesTab />
        </FooterPlaceContext>
      ),
    },
    '/sites/5',
  );
  return asked;
};
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const save = () => press('save attributes');
const saved = (asked: ReturnType<typeof stubServer>) =>
  asked.filter(({ body }) => body !== undefined && body !== null).map(({ body }) => body)[0] as SiteAttributes;
const choosePreset = async (name: RegExp) => {
  await userEvent.click(await screen.findByRole('combobox', { name: 'Preset' }));
  await userEvent.click(await screen.findByRole('option', { name }));
};
const rowNames = () =>
  within(screen.getByRole('list', { name: 'Attributes of this site' }))
    .getAllByRole('button', { expanded: false })
    .map(({ textContent }) => textContent);

describe('§2.7 Attributes', () => {
  test('the default set can become a list, which is moved, changed and saved', async () => {
    const asked = show();
    expect(await screen.findByText(/gets the default set: uid, email, firstname/)).toBeDefined();
    await press('Use a custom list');
    expect(rowNames()).toHaveLength(7);
    await press('Move email up');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move email up');
    for (const name of ['firstname', 'lastname', 'fullname', 'groups', 'network']) await press(`Remove ${name}`);
    await press('Add attribute');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Name' })));
    await userEvent.type(screen.getByRole('combobox', { name: 'Name' }), 'role');
    await userEvent.selectOptions(screen.getByLabelText('Source'), 'Constant');
    await userEvent.type(screen.getByLabelText(/Values/), 'reader{Enter}writer');
    await userEvent.selectOptions(screen.getByLabelText('Format'), 'Unspecified');
    await userEvent.selectOptions(screen.getByLabelText('Value'), 'User ID');
    await save();
    await waitFor(() => expect(saved(asked)).toBeDefined());
    expect(saved(asked)).toEqual({
      name_id_format: 'unspecified',
      name_id_source: 'uid',
      attributes: [
        attributeFrom('email', 'email', 'basic'),
        attributeFrom('uid', 'uid', 'basic'),
        { name: 'role', friendly_name: '', name_format: 'basic', source: 'constant', values: ['reader', 'writer'] },
      ],
      attribute_index: null,
      further_attributes: [],
      based_on: 3,
    });
  });

  test('a suggestion fills in name, friendly name, format and source', async () => {
    const asked = show({ attributes: [] });
    expect(await screen.findByText(/No attributes are released/)).toBeDefined();
    await press('Add attribute');
    await userEvent.type(await screen.findByRole('combobox', { name: 'Name' }), 'surname');
    await userEvent.click(await screen.findByRole('option', { name: /sn/ }));
    await save();
    await waitFor(() => expect(saved(asked)).toBeDefined());
    expect(saved(asked).attributes).toEqual([attributeFrom('lastname', 'urn:oid:2.5.4.4', 'uri', 'sn')]);
  });

  test('faults are shown at their fields, in rows that open for it', async () => {
    const asked = show({
      attributes: [attributeFrom('email', 'a', 'basic'), attributeFrom('uid', 'b', 'basic')],
      further_attributes: [{ index: 2, attributes: [] }],
    });
    await userEvent.click(await screen.findByRole('button', { name: /^b/ }));
    const name = screen.getByRole('combobox', { name: 'Name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'a');
    await userEvent.click(screen.getByRole('button', { name: /^a/, expanded: true }));
    expect(screen.queryByRole('combobox', { name: 'Name' })).toBeNull();
    await userEvent.clear(screen.getByLabelText(/Index of this list/));
    await save();
    expect(await screen.findByText('Another attribute has the same name and name format.')).toBeDefined();
    expect(screen.getByText('Enter an index between 0 and 65,535.')).toBeDefined();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Name' })));
    expect(saved(asked)).toBeUndefined();
  });

  test('a preset is applied at once to another preset, and asks before it replaces edited values', async () => {
    show();
    await choosePreset(/^GitLab/);
    expect(rowNames()).toHaveLength(5);
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('Remove groups');
    await choosePreset(/^Google/);
    const dialog = await screen.findByRole('dialog', { name: 'Replace the attributes?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(rowNames()).toHaveLength(4);
    await choosePreset(/^Google/);
    await press('Replace the attributes');
    expect(await screen.findByText(/No attributes are released/)).toBeDefined();
    expect(screen.getByLabelText<HTMLSelectElement>('Format').value).toBe('emailAddress');
  });

  test('the constant that a preset leaves empty has to be filled in', async () => {
    const asked = show();
    await choosePreset(/^Amazon/);
    await save();
    expect(await screen.findByText('Enter the value.')).toBeDefined();
    expect(saved(asked)).toBeUndefined();
    await userEvent.type(screen.getByLabelText(/Values/), 'arn:a,arn:b');
    await save();
    await waitFor(() => expect(saved(asked)?.attributes).toHaveLength(3));
    expect(saved(asked).name_id_format).toBe('persistent');
  });

  test('a change by somebody else is shown with the names of the attributes', async () => {
    const conflict = { changed_by: 'ben@northlab.org', changed_at: new Date(0).toISOString(), fields: ['attributes'] };
    const { status, body } = refusal('changed_meanwhile');
    show(
      { attributes: [attributeFrom('email', 'mine', 'basic'), attributeFrom('uid', 'second', 'basic')] },
      { [`PUT ${path}`]: { status, body: { ...(body as object), conflict } } },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Remove mine' }));
    await save();
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('mine, second');
    expect(dialog.textContent).not.toContain('[object');
  });
});

describe('§2.7 the preview', () => {
  const assertion: AttributesPreview['assertion'] = {
    name_id: { value: '_abc', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    attributes: [
      { name: 'urn:oid:2.5.4.4', friendly_name: 'sn', name_format: 'uri', values: ['Moreno'] },
      { name: 'groups', friendly_name: '', name_format: 'basic', values: [] },
    ],
    xml: '<a x="1>2"><b>text</b><c></c></a>',
  };
  const open = async (preview: AttributesPreview) => {
    const asked = show(
      { name_id_format: 'transient' },
      {
        'GET /server/sso/users/7/0/northlab': answer(peopleNamedAna),
        'POST /server/sso/site_attributes_preview/5': answer(preview),
      },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Preview' }));
    await userEvent.click(await screen.findByRole('combobox', { name: 'Person' }));
    await userEvent.click(await screen.findByRole('option', { name: /Ana Moreno/ }));
    return asked;
  };

  test('shows the NameID, the attributes with their values, and the XML', async () => {
    const asked = await open({ refusal: null, assertion });
    expect(await screen.findByText('_abc')).toBeDefined();
    expect(screen.getByText(/This is an example/)).toBeDefined();
    const table = screen.getByRole('table', { name: 'Attributes of the assertion' });
    expect(within(table).getByRole('row', { name: /sn.*Moreno/ })).toBeDefined();
    expect(within(table).getByRole('row', { name: /groups No value/ })).toBeDefined();
    expect(saved(asked)).toMatchObject({ user_id: 9, index: null, name_id_format: 'transient' });
  });

  test('says why the person could not sign in', async () => {
    await open({ refusal: 'not in a group of the site', assertion: null });
    expect(
      await screen.findByText(/Ana Moreno could not sign in to this site: not in a group of the site\./),
    ).toBeDefined();
  });
});

test('XML is indented, with the text of an element beside its tags', () => {
  expect(formatXml('<a x="1>2"><b>text &amp; more</b><c></c><d><e>1</e></d></a>')).toBe(
    ['<a x="1>2">', '  <b>text &amp; more</b>', '  <c></c>', '  <d>', '    <e>1</e>', '  </d>', '</a>'].join('\n'),
  );
});
