import { activationLinkKey } from '@opensocial/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer } from '../../testing/stub-server.ts';
import { setPasswordRoute } from './activation.routes.tsx';

const address = '/set-password?email=ana%40northlab.org&token=secret-1';
const rule = 'Use at least 8 characters';
const verify = 'POST /prxy/api/user/verify_token';
const policy = 'GET /prxy/api/password_regex';
const confirm = 'POST /prxy/api/user/confirm_user_signup';
const wentWrong = 'Something went wrong with the SSO Server. Please try again or report an issue to support';

const open = (answers: Parameters<typeof stubServer>[0] = {}, at = address) => {
  const asked = stubServer({
    [verify]: answer({ message: 'ok', server: 'northlab', terms_of_use: '', privacy_statement: '' }),
    [policy]: answer({ password_regex: '^.{8,}$', password_length: 8, regex_message: rule }),
    [confirm]: answer({ message: 'ok' }),
    ...answers,
  });
  renderScreen(setPasswordRoute, at);
  return asked;
};

beforeEach(() => sessionStorage.clear());
const keep = (link: unknown) => sessionStorage.setItem(activationLinkKey, JSON.stringify(link));
const kept = () => sessionStorage.getItem(activationLinkKey);

const passwordField = () => screen.findByLabelText('Enter Password');
const retypeField = () => screen.findByLabelText('Retype Password');
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Confirm Account' }));
const fill = async (password: string, confirmation = password) => {
  await userEvent.type(await passwordField(), password);
  await userEvent.type(await retypeField(), confirmation);
};

describe('§2.14 set-password: terms and privacy', () => {
  test("link to the network's addresses in a new tab", async () => {
    const legal = { terms_of_use: 'https://northlab.org/terms', privacy_statement: 'https://northlab.org/privacy' };
    open({ [verify]: answer({ message: 'ok', server: 'northlab', ...legal }) });
    for (const [name, href] of [
      ['Terms of use', legal.terms_of_use],
      ['Privacy policy', legal.privacy_statement],
    ] as const) {
      const link = await screen.findByRole('link', { name });
      expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([href, '_blank']);
      expect(link.getAttribute('rel')).toContain('noreferrer');
    }
  });

  test.each(['', 'javascript:alert(1)'])('say who to ask if the address is %j', async (terms_of_use) => {
    open({ [verify]: answer({ message: 'ok', server: 'northlab', terms_of_use, privacy_statement: '' }) });
    await screen.findByText('Activate Your Account');
    expect(screen.queryByRole('link', { name: 'Terms of use' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Terms of use' }));
    expect(await screen.findByText(/Ask its administrator for the terms/)).toBeDefined();
  });
});

describe('§2.14 set-password: opening the link', () => {
  test.each([
    '/set-password',
    '/set-password?email=ana%40northlab.org',
    '/set-password?token=x',
    '/set-password?email=&token=',
  ])('a missing email or token shows the error panel: %s', async (at) => {
    const asked = open({}, at);
    expect(await screen.findByText(wentWrong)).toBeDefined();
    expect(asked).toEqual([]);
  });

  test('verifies the token, then requests the rules of the network that sent it', async () => {
    const asked = open();
    expect(await screen.findByText('Activate Your Account')).toBeDefined();
    expect(screen.getByText('Please set your password and confirm your account')).toBeDefined();
    expect(screen.getByText(rule)).toBeDefined();
    expect(asked).toMatchObject([
      { body: { email: 'ana@northlab.org', code: 'secret-1' } },
      { path: '/prxy/api/password_regex?server=northlab' },
    ]);
  });

  test('removes the token from the address bar', async () => {
    window.history.replaceState(null, '', address);
    open();
    await passwordField();
    expect(window.location.href).not.toContain('secret-1');
  });

  test('uses the link in the session storage, also after a reload', async () => {
    keep({ email: 'ana@northlab.org', token: 'secret-2' });
    const asked = open({}, '/set-password');
    await passwordField();
    expect(asked[0]?.body).toEqual({ email: 'ana@northlab.org', code: 'secret-2' });
    expect(kept()).toContain('secret-2');
  });

  test.each([{ email: '', token: 'x' }, { email: 'ana@northlab.org' }, [], 'x', null])(
    'an incomplete stored link shows the error panel: %j',
    async (link) => {
      keep(link);
      const asked = open({}, '/set-password');
      expect(await screen.findByText(wentWrong)).toBeDefined();
      expect(asked).toEqual([]);
    },
  );

  test('an incomplete address is not completed from an earlier link', async () => {
    keep({ email: 'ana@northlab.org', token: 'secret-2' });
    open({}, '/set-password?email=ben%40northlab.org');
    expect(await screen.findByText(wentWrong)).toBeDefined();
    expect(kept()).toBeNull();
  });

  test('shows no form while the link is checked', async () => {
    open({ [verify]: new Promise(() => {}) });
    expect(await screen.findByText('Checking your link')).toBeDefined();
    expect(screen.queryByLabelText('Enter Password')).toBeNull();
  });

  test('§8 a 404 shows the text for an unknown address instead of the form', async () => {
    open({ [verify]: refusal('not_found') });
    expect(await screen.findByText('Incorrect email address')).toBeDefined();
    expect(screen.queryByLabelText('Enter Password')).toBeNull();
  });

  test('§8 another refusal shows the message of the server instead of the form', async () => {
    open({ [verify]: refusal('token_used') });
    expect(await screen.findByText('Invalid verification code or it is already used')).toBeDefined();
    expect(screen.queryByLabelText('Enter Password')).toBeNull();
  });

  test('§8 if the rules cannot be loaded, a toast shows the message of the server, and the form stays usable', async () => {
    open({ [policy]: refusal('unavailable') });
    expect(await screen.findByText(/The service is not available right now/)).toBeDefined();
    await fill('x');
    await submit();
    expect(await screen.findByText(/Congratulations!/)).toBeDefined();
  });
});

describe('§5 set-password: validation', () => {
  test('validates both fields on submit', async () => {
    const asked = open();
    await passwordField();
    await submit();
    expect(screen.getByText('Password is required')).toBeDefined();
    expect(screen.getByText('Confirm password is required')).toBeDefined();
    expect(asked).toHaveLength(2);
  });

  test('validates the password on blur', async () => {
    open();
    await userEvent.click(await passwordField());
    await userEvent.tab();
    expect(screen.getByText('Password is required')).toBeDefined();
    expect(screen.queryByText('Confirm password is required')).toBeNull();
  });

  test('validates the password against the rule of the network while typing', async () => {
    open();
    const field = await passwordField();
    await userEvent.type(field, 'short');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByText(rule)).toHaveLength(1);
    await userEvent.type(field, ' no longer');
    expect(field.getAttribute('aria-invalid')).not.toBe('true');
  });

  test('validates the confirmation while typing, also when the password changes', async () => {
    open();
    await fill('long enough', 'long');
    expect(screen.getByText('Confirm password must match')).toBeDefined();
    await userEvent.type(await retypeField(), ' enough');
    expect(screen.queryByText('Confirm password must match')).toBeNull();
    await userEvent.type(await passwordField(), '!');
    expect(screen.getByText('Confirm password must match')).toBeDefined();
  });

  test('an emptied confirmation has its own message', async () => {
    open();
    await fill('long enough', 'l');
    await userEvent.clear(await retypeField());
    expect(screen.getByText('Confirm Password is required')).toBeDefined();
  });
});

describe('§2.14 set-password: confirming', () => {
  test('confirms the account with the password and the origin of the page', async () => {
    const asked = open();
    await fill('long enough');
    await submit();
    expect(await screen.findByText('Congratulations! Your account has been verified sucessfully.')).toBeDefined();
    const login = screen.getByRole('link', { name: 'Click here to login' });
    expect(login.getAttribute('href')).toBe(window.location.origin);
    expect(asked.at(-1)?.body).toEqual({
      email: 'ana@northlab.org',
      code: 'secret-1',
      password: 'long enough',
      signup_from: window.location.origin,
    });
  });

  test('forgets a used link, but not a refused one', async () => {
    keep({ email: 'ana@northlab.org', token: 'secret-2' });
    open({ [confirm]: refusal('password_refused') }, '/set-password');
    await fill('long enough');
    await submit();
    await screen.findByText('The password does not follow the rules of this network.');
    expect(kept()).toContain('secret-2');
    cleanup();
    open({}, '/set-password');
    await fill('long enough');
    await submit();
    await screen.findByText(/Congratulations!/);
    expect(kept()).toBeNull();
  });

  test('shows a busy button that ignores clicks', async () => {
    const asked = open({ [confirm]: new Promise(() => {}) });
    await fill('long enough');
    await userEvent.dblClick(screen.getByRole('button', { name: 'Confirm Account' }));
    await userEvent.click(await screen.findByRole('button', { name: 'please wait ....' }));
    expect(asked.filter(({ path }) => path.endsWith('confirm_user_signup'))).toHaveLength(1);
  });

  test.each([
    ['not_found', 'Incorrect email address'],
    ['email_invalid', 'Invalid email address'],
    ['token_used', 'Invalid verification code or it is already used'],
  ] as const)('§8 %s shows under the form', async (code, text) => {
    open({ [confirm]: refusal(code) });
    await fill('long enough');
    await submit();
    await waitFor(() => expect(screen.getByText(text).closest('form')).not.toBeNull());
  });

  test('§8 any other refusal shows a toast', async () => {
    open({ [confirm]: refusal('password_refused') });
    await fill('long enough');
    await submit();
    const toast = await screen.findByText('The password does not follow the rules of this network.');
    expect(toast.closest('form')).toBeNull();
    expect(screen.getByRole('button', { name: 'Confirm Account' })).toBeDefined();
  });
});
