import type { OidcClient } from '@opensocial/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkadminId } from '../../../api/session/admin-network.ts';
import { sessionQuery } from '../../../api/session/session.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { oidcClient, sessionUser, site, siteOverview } from '../../../testing/builders.ts';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { SiteModal } from '../site-modal.tsx';
import { SiteSsoTab } from '../sso/site-sso-tab.tsx';

beforeEach(() => {
  stubLayout();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, { user: sessionUser(), csrf: '' });
});

const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };
const secret = 'a-secret-of-many-characters-that-ends-with-wxyz';

const showModal = (answers: Parameters<typeof stubServer>[0] = {}) => {
  const asked = stubServer({ 'GET /server/sso/oidc_client/5': answer(oidcClient()), ...answers });
  const closed: true[] = [];
  const modal = { path: 'sites', element: <SiteModal onClose={() => void closed.push(true)} /> };
  renderScreen({ id: checkadminId, loader: () => network, HydrateFallback: () => null, children: [modal] }, '/sites');
  const bodies = () => asked.flatMap(({ body }) => (body ? [body] : []));
  return { bodies, closed };
};
const chooseOidc = async () => userEvent.click(await screen.findByRole('radio', { name: 'OpenID Connect' }));
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const field = (name: string | RegExp) => screen.getByRole('textbox', { name });
const type = (name: string | RegExp, text: string) => userEvent.type(field(name), text);
const chooseApplication = async (name: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: 'Application' }));
  await userEvent.click(await screen.findByRole('option', { name }));
};

describe('§2.6 Add New Site, OpenID Connect', () => {
  const created = answer({ ...oidcClient(), secret });

  test('adds the site, and shows the secret and the configuration with it', async () => {
    const { bodies, closed } = showModal({ 'POST /server/sso/oidc_sites/northlab': created });
    await chooseOidc();
    await type(/^FQDN/, 'charts.northlab.org');
    await type(
      /^Redirect URLs/,
      'https://charts.northlab.org/login/generic_oauth{Enter} https://charts.northlab.org/b ',
    );
    await press('Add New Site');
    expect(await screen.findByText('charts.northlab.org was added')).toBe(document.activeElement);
    expect(bodies()).toEqual([
      {
        domain: 'charts.northlab.org',
        authentication: 'secret',
        redirect_uris: ['https://charts.northlab.org/login/generic_oauth', 'https://charts.northlab.org/b'],
        post_logout_uris: [],
        backchannel_logout_uri: '',
        frontchannel_logout_uri: '',
        algorithm: 'RS256',
        requires_pkce: false,
        allows_offline: false,
        jwks: null,
        jwks_uri: '',
      },
    ]);
    expect(screen.queryByRole('radio', { name: 'SAML' })).toBeNull();
    expect(screen.getByText(/The secret is shown only now/)).toBeDefined();
    for (const label of ['Issuer', 'Discovery URL', 'Client ID', 'Client secret'])
      expect(screen.getByRole('button', { name: `Copy ${label}` })).toBeDefined();
    await chooseApplication('Grafana');
    expect(screen.getByRole('region', { name: 'grafana.ini' }).textContent).toContain(`client_secret = ${secret}`);
    expect(screen.queryByText(/uses a redirect URL that/)).toBeNull();
    await press('Done');
    expect(closed).toHaveLength(1);
  });

  test('begins with SAML, and each form keeps its input', async () => {
    showModal();
    expect(await screen.findByRole('radio', { name: 'SAML' })).toHaveProperty('checked', true);
    await type(/^SSO Identity/, 'https://a.org');
    await chooseOidc();
    expect(screen.queryByRole('textbox', { name: /^SSO Identity/ })).toBeNull();
    await type(/^FQDN/, 'b.org');
    await userEvent.click(screen.getByRole('radio', { name: 'SAML' }));
    expect(field(/^SSO Identity/)).toHaveProperty('value', 'https://a.org');
    expect(field(/^FQDN/)).toHaveProperty('value', '');
    await chooseOidc();
    expect(field(/^FQDN/)).toHaveProperty('value', 'b.org');
  });

  test('faults are shown at their fields, and nothing is sent', async () => {
    const { bodies } = showModal();
    await chooseOidc();
    await press('Add New Site');
    expect(await screen.findByText('Enter at least one address.')).toBeDefined();
    expect(screen.getByText('This filed is required')).toBeDefined();
    await type(/^Redirect URLs/, 'http://charts.northlab.org/');
    await press('Add New Site');
    expect(await screen.findByText(/An https:\/\/ address without user name/)).toBeDefined();
    await userEvent.click(screen.getByRole('radio', { name: 'Private key (JWT)' }));
    await userEvent.click(field('Keys'));
    await userEvent.paste('no JSON');
    await press('Add New Site');
    expect(await screen.findByText(/Paste the keys as JSON/)).toBeDefined();
    expect(bodies()).toEqual([]);
  });

  test('a refused address is shown at its field', async () => {
    showModal({ 'POST /server/sso/oidc_sites/northlab': refusal('back_channel_refused') });
    await chooseOidc();
    await type(/^FQDN/, 'charts.northlab.org');
    await type(/^Redirect URLs/, 'https://charts.northlab.org/cb');
    await userEvent.click(screen.getByText('Advanced'));
    await type(/^Back-channel logout URL/, 'https://10.0.0.1/logout');
    await press('Add New Site');
    const address = field(/^Back-channel logout URL/);
    await waitFor(() => expect(address.getAttribute('aria-invalid')).toBe('true'));
  });

  test('a public client needs PKCE and has no secret; keys of a single JWK become a set', async () => {
    const { bodies } = showModal({ 'POST /server/sso/oidc_sites/northlab': refusal('internal') });
    await chooseOidc();
    await type(/^FQDN/, 'charts.northlab.org');
    await type(/^Redirect URLs/, 'https://charts.northlab.org/cb');
    await userEvent.click(screen.getByRole('radio', { name: 'Private key (JWT)' }));
    await userEvent.click(field('Keys'));
    await userEvent.paste('{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}');
    await press('Add New Site');
    await waitFor(() => expect(bodies()).toHaveLength(1));
    await userEvent.click(screen.getByRole('radio', { name: 'Public client' }));
    await press('Add New Site');
    await waitFor(() => expect(bodies()).toHaveLength(2));
    expect(bodies()).toMatchObject([
      { authentication: 'private_key_jwt', jwks: { keys: [{ kty: 'EC' }] } },
      { authentication: 'none', requires_pkce: true, jwks: null },
    ]);
  });
});

const showTab = (client: OidcClient, answers: Parameters<typeof stubServer>[0] = {}) => {
  const all = {
    'GET /server/sso/oidc_client/5': answer(client),
    'GET /server/sso/site_overview/5': answer(siteOverview({ protocol: 'oidc', certificates: [], certificate: '' })),
    'GET /server/sso/site/5': answer(site({ protocol: 'oidc', domain: client.domain })),
    ...answers,
  };
  const requests = stubServer(all);
  renderScreen(
    { id: checkadminId, path: 'sites/:site_id', loader: () => network, element: <SiteSsoTab /> },
    '/sites/5',
  );
  return { requests, answers: all };
};

describe('§2.7 OpenID Connect', () => {
  const second = { id: 12, hint: '1234', created_at: '2026-03-02T10:00:00.000Z' };

  test('a further secret is made and shown, and then there are two at most', async () => {
    const both = oidcClient({ secrets: [...oidcClient().secrets, second] });
    showTab(oidcClient(), { 'POST /server/sso/oidc_secrets/5': answer({ ...both, secret: 'new-secret-1234' }) });
    expect(await screen.findByText('ends with wxyz')).toBeDefined();
    await press('Create another secret');
    expect(await screen.findByText('new-secret-1234')).toBeDefined();
    expect(screen.getByText(/The secret is shown only now/)).toBeDefined();
    expect(screen.getByText('A site can have at most two secrets.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Create another secret' })).toHaveProperty('disabled', true);
    await chooseApplication('GitLab');
    expect(screen.getByRole('region', { name: '/etc/gitlab/gitlab.rb' }).textContent).toContain("'new-secret-1234'");
  });

  test('a secret is removed after a confirmation, which warns about the last one', async () => {
    const { requests: asked } = showTab(oidcClient(), {
      'DELETE /server/sso/oidc_secrets/5/11': answer({ message: 'done' }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the secret that ends with wxyz' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove this secret?' });
    expect(within(dialog).getByText(/is the only one/)).toBeDefined();
    expect(asked.map(({ path }) => path)).not.toContain('/server/sso/oidc_secrets/5/11');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove secret' }));
    await waitFor(() => expect(asked.map(({ path }) => path)).toContain('/server/sso/oidc_secrets/5/11'));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Secrets'));
  });

  test('without a known secret, the configuration has a placeholder', async () => {
    showTab(oidcClient());
    await screen.findByText('ends with wxyz');
    await chooseApplication('Grafana');
    expect(screen.getByRole('region', { name: 'grafana.ini' }).textContent).toContain(
      'client_secret = <client secret>',
    );
    expect(screen.getByText(/Replace <client secret> by the secret/)).toBeDefined();
  });

  test('a redirect address that the site lacks is named, and added with one click', async () => {
    const { requests: asked } = showTab(oidcClient(), { 'PUT /server/sso/oidc_client': answer(oidcClient()) });
    await screen.findByText('ends with wxyz');
    await chooseApplication('GitLab');
    const address = 'https://charts.northlab.org/users/auth/openid_connect/callback';
    expect(screen.getByText(address)).toBeDefined();
    await press('Add this address');
    await waitFor(() => expect(asked.some(({ body }) => body)).toBe(true));
    expect(asked.find(({ body }) => body)?.body).toMatchObject({
      id: 5,
      redirect_uris: [...oidcClient().redirect_uris, address],
      based_on: 3,
    });
  });

  test('the application whose addresses the site has is chosen already', async () => {
    showTab(oidcClient({ post_logout_uris: ['https://charts.northlab.org/'] }));
    await screen.findByText('ends with wxyz');
    expect(screen.getByRole('combobox', { name: 'Application' })).toHaveProperty('value', 'Grafana');
    expect(screen.getByRole('region', { name: 'grafana.ini' })).toBeDefined();
    expect(screen.getByText(/you are signed out of this console/)).toBeDefined();
  });

  test('warns about parameters with which the application does not work', async () => {
    showTab(oidcClient({ authentication: 'none', requires_pkce: true, secrets: [] }));
    expect(await screen.findByText(/is a public client, so it has no secret/)).toBeDefined();
    await chooseApplication('Portainer');
    expect(screen.getByText(/Portainer authenticates with a secret/)).toBeDefined();
    expect(screen.getByText(/Portainer may not support PKCE/)).toBeDefined();
  });

  test('the parameters are edited in the modal, with what is stored', async () => {
    const client = oidcClient({ allows_offline: true, post_logout_uris: ['https://charts.northlab.org/'] });
    const { requests: asked } = showTab(client, { 'PUT /server/sso/oidc_client': answer(client) });
    await userEvent.click(await screen.findByRole('button', { name: 'Edit SSO parameters' }));
    const dialog = await screen.findByRole('dialog', { name: 'SSO Parameters' });
    const domain = await within(dialog).findByRole('textbox', { name: /^FQDN/ });
    expect(domain).toHaveProperty('readOnly', true);
    expect(within(dialog).getByRole('checkbox', { name: /^Allow refresh tokens/ })).toHaveProperty('checked', true);
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Public client' }));
    expect(await within(dialog).findByText('The secrets of this site are removed when you save.')).toBeDefined();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Update' }));
    await waitFor(() => expect(asked.some(({ body }) => body)).toBe(true));
    expect(asked.find(({ body }) => body)?.body).toMatchObject({
      id: 5,
      authentication: 'none',
      allows_offline: true,
      post_logout_uris: ['https://charts.northlab.org/'],
      based_on: 3,
    });
  });

  test('a conflict names the parameters that another person has changed', async () => {
    const conflict = { changed_by: 'ida@northlab.org', changed_at: '2026-03-03T10:00:00.000Z', fields: ['oidc'] };
    const answers: Parameters<typeof stubServer>[0] = {
      'PUT /server/sso/oidc_client': {
        status: 409,
        body: { code: 'changed_meanwhile', message: '', error: '', conflict },
      },
    };
    const asked = showTab(oidcClient(), answers);
    await userEvent.click(await screen.findByRole('button', { name: 'Edit SSO parameters' }));
    const dialog = await screen.findByRole('dialog', { name: 'SSO Parameters' });
    await userEvent.click(await within(dialog).findByText('Advanced'));
    await userEvent.click(within(dialog).getByRole('checkbox', { name: /^Require PKCE/ }));
    const moved = oidcClient({ redirect_uris: ['https://moved.northlab.org/cb'], version: 9 });
    asked.answers['GET /server/sso/oidc_client/5'] = answer(moved);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Update' }));
    const question = await screen.findByRole('dialog', { name: 'This was changed in the meantime' });
    expect(within(question).getByText('https://moved.northlab.org/cb')).toBeDefined();
    expect(within(question).getByText('Redirect URLs')).toBeDefined();
    expect(within(question).queryByText('Require PKCE')).toBeNull();
    await userEvent.click(within(question).getByRole('button', { name: 'Save mine anyway' }));
    await waitFor(() => expect(asked.requests.filter(({ body }) => body)).toHaveLength(2));
    expect(asked.requests.filter(({ body }) => body)[1]?.body).toMatchObject({
      redirect_uris: ['https://moved.northlab.org/cb'],
      requires_pkce: true,
      based_on: 9,
    });
  });
});
