import type { SiteRow } from '@opensocial/contract';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkadminId } from '../../../api/session/admin-network.ts';
import { sessionQuery } from '../../../api/session/session.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { oidcClient, sessionUser, site, siteOverview } from '../../../testing/builders.ts';
import { stubLayout } from '../../../testing/layout.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../../testing/stub-server.ts';
import { blankParameters } from '../new-parameters.ts';
import { connectRoute } from '../sites.routes.tsx';
import type { GroupsField } from './connect-context.ts';

beforeEach(() => {
  stubLayout();
  window.localStorage.clear();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, { user: sessionUser(), csrf: '' });
});

const network = { id: 7, name: 'northlab', sso_id: 'sso-northlab' };

/** A field with one group, in place of the one that the router provides. */
const OneGroup: GroupsField = ({ onChange }) => (
  <button type="button" onClick={() => onChange(['31'])}>
    Physics
  </button>
);

const details = {
  id: 7,
  entity_id: 'https://sso.example.org/saml/northlab/metadata',
  sso_url: 'https://sso.example.org/saml/northlab/sso',
  slo_url: 'https://sso.example.org/saml/northlab/slo',
};

const show = (path: string, answers: Parameters<typeof stubServer>[0] = {}) => {
  const all: Parameters<typeof stubServer>[0] = {
    'GET /server/sso/server/northlab/7': answer(details),
    'GET /server/sso/oidc_client/5': answer(oidcClient()),
    'GET /server/sso/site/5': answer(site({ domain: 'charts.northlab.org', site_name: 'Charts' })),
    'GET /server/sso/site_overview/5': answer(siteOverview({ protocol: 'oidc', certificates: [], certificate: '' })),
    'GET /server/sso/site_groups/5/0/7': answer({ groups: [], all_groups: 0 }),
    ...answers,
  };
  const asked = stubServer(all);
  const { router } = renderScreen(
    {
      id: checkadminId,
      path: 'sso-servers/:server',
      loader: () => network,
      HydrateFallback: () => null,
      children: [connectRoute(async () => OneGroup)],
    },
    path,
  );
  const sent = (name: string) =>
    asked.filter(({ path: at, body }) => at.startsWith(name) && body).map(({ body }) => body);
  return { router, asked, sent, answers: all };
};
const siteRow = (changes: Partial<SiteRow>): SiteRow => ({
  id: 1,
  name: 'charts.northlab.org',
  domain: 'charts.northlab.org',
  protocol: 'saml',
  site_name: 'Charts',
  site_mode: 'Open',
  status: 'Active',
  auth_options: '',
  icon: '',
  icon_bg: '',
  icon_color: '',
  icon_background: '',
  metadata_state: '',
  unreachable_since: null,
  certificate_ends: null,
  recent_sign_ins: { total: 0, failed: 0 },
  ...changes,
});
const guide = '/sso-servers/northlab/connect';
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string | RegExp) => userEvent.click(await screen.findByRole('radio', { name }));
const type = async (name: string | RegExp, text: string) =>
  userEvent.type(await screen.findByRole('textbox', { name }), text);

describe('§2.6 Connect an application', () => {
  test('the details are entered by hand if the metadata cannot be read', async () => {
    show(guide, {
      'POST /server/sso/site_metadata/northlab': refusal('metadata_url_refused'),
    });
    await choose(/^Another application with SAML/);
    await type(/Name/, 'Reports');
    await press('Continue');
    expect(screen.queryByRole('button', { name: 'Enter the details by hand' })).toBeNull();
    await type('Metadata URL', 'https://reports.northlab.org/metadata');
    await press('Read metadata');
    expect(await screen.findByText('This metadata URL cannot be used.')).toBeDefined();
    await press('Enter the details by hand');
    const fqdn = await screen.findByDisplayValue('reports.northlab.org');
    expect(fqdn.closest('form')?.contains(document.activeElement)).toBe(true);
    expect(screen.getByRole('button', { name: 'Add application' })).toBeDefined();
  });

  test('a recipe needs one address, and registers the site with its name', async () => {
    const { router, sent } = show(guide, {
      'POST /server/sso/oidc_sites/northlab': answer({ ...oidcClient(), secret: 'the-secret' }),
    });
    await choose('Grafana');
    await press('Continue');
    await type(/^Address of Grafana/, 'charts.northlab.org/');
    expect(screen.getByText('https://charts.northlab.org/login/generic_oauth')).toBeDefined();
    await press('Add application');
    expect(await screen.findByText(/The secret is shown only now/)).toBeDefined();
    expect(sent('/server/sso/oidc_sites')).toMatchObject([
      {
        domain: 'charts.northlab.org',
        site_name: 'Grafana',
        login_url: 'https://charts.northlab.org/',
        redirect_uris: ['https://charts.northlab.org/login/generic_oauth'],
        requires_pkce: true,
      },
    ]);
    expect(router.state.location.pathname).toBe(`${guide}/5/values`);
    expect((await screen.findByRole('region', { name: 'grafana.ini' })).textContent).toContain('the-secret');
    expect(window.localStorage).toHaveLength(0);
    const headings = screen.getAllByRole('heading').map(({ textContent }) => textContent);
    expect(headings.indexOf('Configure the application')).toBeLessThan(headings.indexOf('The same values, one by one'));
    expect(headings).not.toContain('Enter these in your application');
  });

  test('another application by hand needs two values, and is not asked for again', async () => {
    const { sent } = show(guide, {
      'POST /server/sso/sites/new/7/northlab': answer({ id: 5, domain: 'lab.example.org' }),
      'GET /server/sso/site_overview/5': answer(siteOverview({ protocol: 'saml' })),
      'GET /server/sso/subscriber/5/northlab': answer({
        ...blankParameters,
        id: 5,
        sso_server: 'northlab',
        version: 0,
      }),
    });
    await choose(/^Another application with SAML/);
    await type(/^Name/, 'Lab book');
    await press('Continue');
    await choose(/^By hand/);
    await type(/^SSO Identity/, 'urn:lab');
    await type(/^SSO ACS URL/, 'https://lab.example.org/acs');
    expect(screen.getByLabelText<HTMLInputElement>(/^FQDN/).value).toBe('lab.example.org');
    expect(screen.getByLabelText<HTMLInputElement>('This site does not support single logout').checked).toBe(true);
    await press('Add application');
    expect(await screen.findByText('Enter these in your application')).toBeDefined();
    expect(sent('/server/sso/sites/new')).toMatchObject([
      { identity: 'urn:lab', acs: 'https://lab.example.org/acs', sls: '', domain: 'lab.example.org' },
    ]);
    expect(screen.queryByText('Configure the application')).toBeNull();
  });

  test('the FQDN that was typed stays', async () => {
    show(guide);
    await choose(/^Another application with SAML/);
    await type(/^Name/, 'Lab book');
    await press('Continue');
    await choose(/^By hand/);
    await type(/^FQDN/, 'book.example.org');
    await type(/^SSO ACS URL/, 'https://lab.example.org/acs');
    expect(screen.getByLabelText<HTMLInputElement>(/^FQDN/).value).toBe('book.example.org');
  });

  test('says what is missing, and sends nothing', async () => {
    const { asked } = show(guide);
    await press('Continue');
    expect(await screen.findByText(/Choose an application/)).toBeDefined();
    expect(screen.getByText('Site name is required')).toBeDefined();
    await choose('Zulip');
    await press('Continue');
    await press('Add application');
    expect(await screen.findByText(/^Enter the address of the application/)).toBeDefined();
    await type(/^Address of Zulip/, 'http://chat.northlab.org');
    await press('Add application');
    expect(await screen.findByText(/An https:\/\/ address without user name/)).toBeDefined();
    expect(asked.filter(({ body }) => body)).toEqual([]);
  });

  const found = (row: { domain: string; site_name: string }) => answer({ sites: [siteRow(row)], all_sites: 1 });

  test('an application that is registered already is named with a link', async () => {
    show(guide, {
      'GET /server/sso/sites/7/search/Grafana/0/northlab': found({ domain: 'a.org', site_name: 'Grafana' }),
      'GET /server/sso/sites/7/search/charts.northlab.org/0/northlab': found({
        domain: 'charts.northlab.org',
        site_name: 'Charts',
      }),
    });
    await choose('Grafana');
    expect(await screen.findByText(/has the same name, so people would see two equal tiles/)).toBeDefined();
    await press('Continue');
    await type(/^Address of Grafana/, 'charts.northlab.org');
    expect(await screen.findByText(/A site at charts.northlab.org is registered already/)).toBeDefined();
    expect(screen.getByRole('link', { name: 'Charts' }).getAttribute('href')).toBe(
      '/sso-servers/northlab/sites/charts.northlab.org/1/sso',
    );
  });

  test('an address without encryption gets no back-channel logout, and the guide says why', async () => {
    const client = oidcClient({ redirect_uris: ['http://localhost:8080/oauth2callback'], backchannel_logout_uri: '' });
    const { sent } = show(guide, {
      'POST /server/sso/oidc_sites/northlab': answer({ ...client, secret: 'the-secret' }),
      'GET /server/sso/oidc_client/5': answer(client),
    });
    await choose('Apache (mod_auth_openidc)');
    await press('Continue');
    await type(/^Address of Apache/, 'http://localhost:8080');
    await press('Add application');
    expect(await screen.findByText(/reports sign-outs only to addresses that begin with https/)).toBeDefined();
    expect(screen.queryByText(/logout=backchannel/)).toBeNull();
    expect(sent('/server/sso/oidc_sites')).toMatchObject([{ backchannel_logout_uri: '' }]);
  });

  test('the steps before the registration can be left and resumed', async () => {
    const first = show(guide);
    await choose('Zulip');
    await userEvent.clear(screen.getByRole('textbox', { name: /^Name/ }));
    await type(/^Name/, 'Chat');
    await press('Continue');
    await type(/^Address of Chat/, 'chat.northlab.org');
    first.router.dispose();
    document.body.replaceChildren();
    show(`${guide}/connection`);
    expect(await screen.findByRole('textbox', { name: /^Address of Chat/ })).toHaveProperty(
      'value',
      'chat.northlab.org',
    );
  });

  test('a typed name stays when another application is chosen', async () => {
    show(guide);
    await choose('Zulip');
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'Zulip');
    await choose('Apache (mod_auth_mellon)');
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'Apache');
    await type(/^Name/, ' files');
    await choose('Moodle');
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'Apache files');
  });

  test('a refused registration keeps the input', async () => {
    show(guide, { 'POST /server/sso/sites/new/7/northlab': refusal('site_exists') });
    await choose('Moodle');
    await press('Continue');
    await type(/^Address of Moodle/, 'learn.northlab.org');
    await press('Add application');
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
    expect(screen.getByRole('textbox', { name: /^Address of Moodle/ })).toHaveProperty('value', 'learn.northlab.org');
  });

  test('an address for logout messages that the server may not call does not stop the registration', async () => {
    const { router, sent, answers } = show(guide);
    // The first request is refused, the second one accepted.
    const results = [refusal('back_channel_refused'), answer({ ...oidcClient(), secret: 'the-secret' })];
    Object.defineProperty(answers, 'POST /server/sso/oidc_sites/northlab', { get: () => results.shift() });
    await choose('Apache (mod_auth_openidc)');
    await press('Continue');
    await type(/^Address of Apache/, 'https://wiki.lab.internal');
    await press('Add application');
    await waitFor(() => expect(router.state.location.pathname).toBe(`${guide}/5/values`));
    expect(sent('/server/sso/oidc_sites')).toMatchObject([
      { backchannel_logout_uri: 'https://wiki.lab.internal/oauth2callback?logout=backchannel' },
      { backchannel_logout_uri: '' },
    ]);
    expect(await screen.findByText(/^People who sign out here stay signed in/)).toBeDefined();
  });

  test('the second step without a draft leads to the first', async () => {
    const { router } = show(`${guide}/connection`);
    await waitFor(() => expect(router.state.location.pathname).toBe(guide));
  });

  test('people: groups are assigned and the site is put on the desktop', async () => {
    const { router, sent } = show(`${guide}/5/people`, {
      'GET /server/sso/available_apps/7': answer({ sites: [], server_mode: 'All', version: 3, mode_version: 1 }),
      'GET /server/sso/desktop_apps/7': answer([]),
      'POST /server/sso/group/assign/sites': answer({ status: 'success' }),
      'POST /server/sso/desktop_apps/7': answer({ status: 'success', version: 4 }),
    });
    await choose('Only members of groups');
    await press('Continue');
    expect(await screen.findByText(/Choose at least one group/)).toBeDefined();
    await press('Physics');
    await press('Continue');
    await waitFor(() => expect(router.state.location.pathname).toBe(`${guide}/5/test`));
    expect(sent('/server/sso/group/assign/sites')).toEqual([{ group_id: 31, subscriber_id: 5 }]);
    expect(sent('/server/sso/desktop_apps')).toEqual([{ available_apps: [], desktop_apps: [5], version: 3 }]);
  });

  test('test: waits for a sign-in, and says that it works', async () => {
    const { answers } = show(`${guide}/5/test`);
    expect(await screen.findByText('Waiting for the first sign-in')).toBeDefined();
    expect(screen.getByText('It is not on the desktop.')).toBeDefined();
    answers['GET /server/sso/site_overview/5'] = answer(
      siteOverview({
        protocol: 'oidc',
        on_desktop: true,
        groups: 1,
        sign_on: 'works',
        last_success: { at: new Date().toISOString() },
      }),
    );
    expect(await screen.findByText('It works', undefined, { timeout: 90_000 })).toBeDefined();
    expect(screen.getByText('Everything is set up.')).toBeDefined();
  });

  test('test: with SAML it does not say that the application accepted the answer', async () => {
    show(`${guide}/5/test`, {
      'GET /server/sso/site_overview/5': answer(
        siteOverview({
          protocol: 'saml',
          on_desktop: true,
          groups: 0,
          certificates: [],
          sign_on: 'works',
          last_success: { at: new Date().toISOString() },
        }),
      ),
    });
    expect(await screen.findByText('It works on our side')).toBeDefined();
    expect(screen.getByText(/If Charts shows you as signed in, it works/)).toBeDefined();
    expect(screen.queryByText('It works')).toBeNull();
    expect(screen.getByText('Everything is set up.')).toBeDefined();
  });

  const secretWrong = {
    code: 'secret_wrong' as const,
    sentence: 'The application sent a client secret that is not one of the secrets of the site.',
    advice: 'Copy the secret again.',
    compared: [],
    is_current: true,
    fix: null,
    place: 'secrets' as const,
  };
  const failedOverview = (finding = secretWrong) =>
    siteOverview({
      protocol: 'oidc',
      certificates: [],
      on_desktop: true,
      sign_on: 'failed',
      last_success: { at: new Date(Date.now() - 60_000).toISOString() },
      last_failure: { at: new Date().toISOString(), reason: '', finding },
    });

  test('test: a failure of the newest sign-in is shown with its correction, and nothing says that it works', async () => {
    show(`${guide}/5/test`, { 'GET /server/sso/site_overview/5': answer(failedOverview()) });
    expect(await screen.findByText('The last sign-in failed', { exact: true })).toBeDefined();
    expect(screen.getByText(/not one of the secrets of the site/)).toBeDefined();
    const secrets = screen.getByRole('link', { name: 'Go to the secrets' });
    expect(secrets.getAttribute('href')).toBe('/sso-servers/northlab/sites/charts.northlab.org/5/sso#secrets');
    for (const text of ['It works', 'Everything is set up.', 'Waiting for the first sign-in'])
      expect(screen.queryByText(text)).toBeNull();
    expect(screen.getByRole('heading', { name: 'Still open' })).toBeDefined();
  });

  test('test: a failure whose cause was removed asks for another sign-in', async () => {
    show(`${guide}/5/test`, {
      'GET /server/sso/site_overview/5': answer(failedOverview({ ...secretWrong, is_current: false })),
    });
    expect(await screen.findByText('Sign in again')).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Go to the secrets' })).toBeNull();
    expect(screen.queryByText('It works')).toBeNull();
  });

  test('test: a code that was not redeemed is not a success', async () => {
    show(`${guide}/5/test`, {
      'GET /server/sso/site_overview/5': answer(
        siteOverview({ protocol: 'oidc', certificates: [], on_desktop: true, sign_on: 'unredeemed' }),
      ),
    });
    expect(await screen.findByText('Charts has not redeemed its code yet')).toBeDefined();
    expect(screen.queryByText('Everything is set up.')).toBeNull();
  });

  test('values: without a recipe, the values come first', async () => {
    show(`${guide}/5/values`);
    const first = await screen.findByRole('heading', { name: 'Enter these in your application' });
    const second = screen.getByRole('heading', { name: 'Configure the application' });
    expect(first.compareDocumentPosition(second)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test('a site that was deleted is not found', async () => {
    show(`${guide}/5/values`, { 'GET /server/sso/site/5': refusal('not_found') });
    expect(await screen.findByText('This site was not found')).toBeDefined();
  });
});
