import type { SubscriberDraft } from '@opensocial/contract';
import { type Browser, launchBrowser, type Page } from '../e2e/support/browser.ts';
import { address, change } from './identity-provider.ts';
import { report, type World } from './report.ts';
import type { ServiceProvider } from './service-providers.ts';

type Case = {
  title: string;
  /** The changes of the sites, by the name of the service provider. */
  changes: Record<string, Partial<SubscriberDraft>>;
  /** The service providers at which the person stays signed in. */
  staysAt: string[];
};

/** Nothing listens here. */
const deadUrl = 'http://127.0.0.1:4819/slo';

const cases: Case[] = [
  { title: 'every site answers', changes: {}, staysAt: [] },
  { title: 'a dead SLS', changes: { 'Shibboleth SP': { sls: deadUrl, sls_soap: '' } }, staysAt: ['Shibboleth SP'] },
  { title: 'a dead SLS with a back channel', changes: { 'Shibboleth SP': { sls: deadUrl } }, staysAt: [] },
  {
    title: 'POST only',
    changes: {
      pysaml2: { sls_binding: 'post', sls_soap: '' },
      'Shibboleth SP': {
        sls: 'http://127.0.0.1:4812/Shibboleth.sso/SLO/POST',
        sls_binding: 'post',
        sls_soap: '',
      },
    },
    staysAt: [],
  },
  {
    title: 'SOAP only',
    changes: {
      'Shibboleth SP': {
        sls: 'http://127.0.0.1:4812/Shibboleth.sso/SLO/SOAP',
        sls_binding: 'soap',
        sls_response: '',
        sls_soap: '',
      },
    },
    staysAt: [],
  },
  {
    title: 'no SLS',
    changes: { SimpleSAMLphp: { sls: '', sls_binding: 'auto', sls_response: '', sls_soap: '' } },
    staysAt: ['SimpleSAMLphp'],
  },
  {
    title: 'a dead and a missing SLS together',
    changes: {
      pysaml2: { sls: deadUrl, sls_soap: '' },
      SimpleSAMLphp: { sls: '', sls_binding: 'auto', sls_response: '', sls_soap: '' },
    },
    staysAt: ['SimpleSAMLphp', 'pysaml2'],
  },
];

/** Signs out in a real browser, from the identity provider and from a service provider, with endpoints of every kind. */
export const checkLogout = async (world: World): Promise<void> => {
  const browser = await launchBrowser();
  try {
    for (const each of cases) {
      await withChanges(world, each, async () => {
        await checkCase(world, browser, each, undefined);
        await checkCase(world, browser, each, world.sites[0]?.provider);
      });
    }
  } finally {
    await browser.close();
  }
};

const withChanges = async ({ idp, sites }: World, { changes }: Case, work: () => Promise<void>): Promise<void> => {
  const changed = sites.filter(({ provider }) => provider.name in changes);
  for (const { provider, site } of changed) await change(idp.call, site, changes[provider.name] ?? {});
  try {
    await work();
  } finally {
    for (const { site } of changed) await change(idp.call, site, {});
  }
};

const checkCase = async (
  { idp, sites }: World,
  browser: Browser,
  { title, staysAt }: Case,
  initiator: ServiceProvider | undefined,
): Promise<void> => {
  const { credentials } = await idp.visitor();
  const context = await browser.newContext();
  const page = await context.newPage();
  const what = `${title}, begun at ${initiator?.name ?? 'the identity provider'}`;
  try {
    for (const { provider } of sites) await signOn(page, provider, credentials);
    await page.goto(initiator?.logout ?? `${address}/server/saml/logout`);
    if (initiator) await page.waitForURL(new URL('/', initiator.page).href);
    else await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    const named = initiator ? staysAt : await page.getByRole('listitem').allTextContents();
    const remaining: string[] = [];
    for (const { provider } of sites) if (await isSignedIn(page, provider)) remaining.push(provider.name);
    const expected = staysAt.toSorted().join(', ');
    const domains = sites.filter(({ provider }) => staysAt.includes(provider.name)).map(({ site }) => site.domain);
    const isNamed = initiator !== undefined || named.toSorted().join() === domains.toSorted().join();
    report(
      what,
      remaining.toSorted().join(', ') === expected && isNamed,
      `still signed in at: ${remaining.join(', ') || 'none'}; expected: ${expected || 'none'}; named: ${named.join(', ')}`,
    );
  } catch (error) {
    report(what, false, `${page.url()}: ${String(error)}`);
  } finally {
    await context.close();
  }
};

type Credentials = { email: string; password: string };

const signOn = async (page: Page, provider: ServiceProvider, { email, password }: Credentials): Promise<void> => {
  await page.goto(provider.page);
  const field = page.getByLabel('Email');
  const done = page.getByText(`signed in as ${email}`);
  await field.or(done).first().waitFor();
  if (await done.isVisible()) return;
  await field.fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await done.waitFor();
};

/** Whether the session of the service provider lasts. Without it, the page leads to the sign-in page, because our own session has ended. */
const isSignedIn = async (page: Page, provider: ServiceProvider): Promise<boolean> => {
  await page.goto(provider.page);
  const signedIn = page.getByText('signed in as');
  await signedIn.or(page.getByLabel('Email')).first().waitFor();
  return signedIn.isVisible();
};
