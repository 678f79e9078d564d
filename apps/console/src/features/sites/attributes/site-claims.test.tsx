import type { SiteAttributes } from '@opensocial/contract';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkadminId } from '../../../api/session/admin-network.ts';
import { sessionQuery } from '../../../api/session/session.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { FooterPlaceContext } from '../../../patterns/side-panel/footer-place.ts';
import { peopleNamedAna, sessionUser, site } from '../../../testing/builders.ts';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, stubServer } from '../../../testing/stub-server.ts';
import { SiteAttributesTab } from './site-attributes-tab.tsx';

beforeEach(() => {
  stubLayout();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, { user: sessionUser(), csrf: '' });
});

const stored: SiteAttributes = {
  name_id_format: 'requested',
  name_id_source: 'email',
  attributes: null,
  attribute_index: null,
  further_attributes: [],
  version: 3,
};
const department = { name: 'department', friendly_name: '', name_format: 'basic', source: 'network' } as const;

const show = async (changes: Partial<SiteAttributes> = {}, answers = {}) => {
  const path = '/server/sso/site_attributes/5';
  const asked = stubServer({
    'GET /server/sso/site/5': answer(site({ protocol: 'oidc' })),
    [`GET ${path}`]: answer({ ...stored, ...changes }),
    [`PUT ${path}`]: answer({ ...stored, version: 4 }),
    ...answers,
  });
  const footer = document.createElement('div');
  document.body.append(footer);
  const element = (
    <FooterPlaceContext value={footer}>
      <SiteAttributesTab />
    </FooterPlaceContext>
  );
  renderScreen(
    { id: checkadminId, path: 'sites/:site_id', loader: () => ({ id: 7, name: 'northlab' }), element },
    '/sites/5',
  );
  await screen.findByRole('button', { name: 'Preview' });
  return () => asked.flatMap(({ body }) => (body ? [body as SiteAttributes] : []));
};
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

describe('§2.7 Claims', () => {
  test('have a name and a source, and nothing that only SAML has', async () => {
    const saved = await show({ attributes: [] });
    for (const label of ['Preset', 'Format', /index/i]) expect(screen.queryByLabelText(label)).toBeNull();
    await press('Add claim');
    for (const label of ['Friendly name', 'Name format']) expect(screen.queryByLabelText(label)).toBeNull();
    await userEvent.type(screen.getByLabelText(/^Name/), 'department');
    await userEvent.selectOptions(screen.getByLabelText('Source'), 'Name of the network');
    await press('save claims');
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]).toMatchObject({ attributes: [department], name_id_format: 'requested', based_on: 3 });
  });

  test('cannot have a name of the protocol, or the same name twice', async () => {
    const saved = await show({ attributes: [department] });
    await press('Add claim');
    await userEvent.type(screen.getByLabelText(/^Name/), 'sub');
    await press('save claims');
    expect(await screen.findByText('sub is a claim of the protocol. Choose another name.')).toBeDefined();
    await userEvent.clear(screen.getByLabelText(/^Name/));
    await userEvent.type(screen.getByLabelText(/^Name/), 'department');
    await press('save claims');
    expect(await screen.findByText(/Another (claim|attribute) has the same name/)).toBeDefined();
    expect(saved()).toEqual([]);
  });

  test('are the default set, unless the site has a list of its own', async () => {
    const saved = await show();
    expect(screen.getByText(/gets the default set: name, given_name/)).toBeDefined();
    await press('Use a custom list');
    await press('save claims');
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]?.attributes?.map(({ name }) => name)).toContain('groups');
  });

  test('are the default set again after a click', async () => {
    const saved = await show({ attributes: [department] });
    await press('Use the default set');
    await press('save claims');
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]?.attributes).toBeNull();
  });

  test('are shown for a person before they are saved', async () => {
    const preview = {
      refusal: null,
      claims: [
        { name: 'email', scope: 'email', value: 'ana@northlab.org' },
        { name: 'groups', scope: 'groups', value: ['Analysts'] },
      ],
      id_token: '{}',
    };
    await show(
      {},
      {
        'GET /server/sso/users/7/0/northlab': answer(peopleNamedAna),
        'POST /server/sso/oidc_claims_preview/5': answer(preview),
      },
    );
    await press('Preview');
    await userEvent.click(await screen.findByRole('combobox', { name: 'Person' }));
    await userEvent.click(await screen.findByRole('option', { name: /Ana Moreno/ }));
    expect(await screen.findByText('with the scope groups')).toBeDefined();
    expect(screen.getByText('["Analysts"]')).toBeDefined();
  });
});
