import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionUser } from '../../testing/builders.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { answer, refusal, stubServer, textAnswer } from '../../testing/stub-server.ts';
import { stubUpload } from '../../testing/stub-upload.ts';
import { profileRoute } from './profile.routes.tsx';

const own = 'ana%40northlab.org';
const profile = {
  email: 'ana@northlab.org',
  first_name: 'Ana',
  last_name: 'Moreno',
  has_password: true,
  password_changed: null,
  recovery_codes: 0,
  sends_mail: true,
};
const device = {
  id: 1,
  ip_address: '10.0.0.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
  login_from: 'OpenSocial',
  signed_in: '2026-01-07T09:30:00Z',
  last_seen: '2026-01-07T09:30:00Z',
  sites: [],
  current: true,
};
const policy = { password_regex: '^.{4,}$', password_length: 4, regex_message: 'At least four.' };

const show = async (answers: Parameters<typeof stubServer>[0] = {}, user = {}) => {
  const asked = stubServer({
    'GET /server/getsession': answer({ user: sessionUser({ mfa_email: profile.email, ...user }), csrf: 'proof' }),
    [`GET /server/sso/profile/${own}`]: answer(profile),
    'GET /server/sso/password_regex/northlab': answer(policy),
    [`GET /server/sso/mfa_status/${own}`]: answer('inactive'),
    'GET /server/sso/devices': answer({ devices: [device] }),
    'GET /server/sso/profile/logins': answer({ logins: [] }),
    ...answers,
  });
  renderScreen(profileRoute, '/profile');
  await screen.findByRole('region', { name: 'Profile Details' });
  return asked;
};
const card = (name: string) => within(screen.getByRole('region', { name }));
const unavailable = /The service is not available right now/;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const user = userEvent.setup({ advanceTimers: (milliseconds) => vi.advanceTimersByTimeAsync(milliseconds) });

describe('§2.5 the cards', () => {
  test('of second factors are shown after a login with the product itself', async () => {
    await show();
    for (const name of ['Password', 'TOTP MFA', 'Email MFA'])
      expect(screen.getByRole('region', { name })).toBeDefined();
  });

  test.each(['google', 'opensocial', ''])(
    'of second factors are hidden after a login from %j',
    async (last_login_from) => {
      await show({}, { last_login_from });
      expect(screen.queryByRole('region', { name: 'TOTP MFA' })).toBeNull();
      expect(screen.queryByRole('region', { name: 'Email MFA' })).toBeNull();
    },
  );

  test.each([
    ['active', 'Reset TOTP', 'Set Up TOTP'],
    ['inactive', 'Set Up TOTP', 'Reset TOTP'],
  ])('TOTP: %s offers %s', async (status, offered, other) => {
    await show({ [`GET /server/sso/mfa_status/${own}`]: answer(status) });
    expect(await card('TOTP MFA').findByRole('button', { name: offered })).toBeDefined();
    expect(card('TOTP MFA').queryByRole('button', { name: other })).toBeNull();
  });

  test.each([
    ['Where you are signed in', 'GET /server/sso/devices', 'Your browsers could not be loaded.'],
    ['Linked sign-ins', 'GET /server/sso/profile/logins', 'Your linked sign-ins could not be loaded.'],
    ['TOTP MFA', `GET /server/sso/mfa_status/${own}`, 'The TOTP status could not be loaded.'],
  ])('%s: a failed load shows an error and can be retried', async (name, path, text) => {
    await show({ [path]: refusal('unavailable') });
    expect((await card(name).findByRole('alert')).textContent).toBe(text);
    expect(card(name).getByRole('button', { name: 'Try again' })).toBeDefined();
  });
});

describe('§8 errors of the server or a proxy', () => {
  test('§8 errors: a failure to load the password rule shows the text of the response in a toast', async () => {
    await show({ 'GET /server/sso/password_regex/northlab': textAnswer(500, 'upstream timed out\n') });
    expect(await screen.findByText('upstream timed out')).toBeDefined();
  });

  test('§8 errors: a picture that a proxy refuses is marked Failed, with the reason', async () => {
    await show();
    const sent = stubUpload();
    await user.click(screen.getByRole('button', { name: 'Change the picture' }));
    await user.upload(await screen.findByLabelText('File'), new File(['bytes'], 'me.png', { type: 'image/png' }));
    await user.click(await screen.findByRole('button', { name: 'Upload' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    sent[0]?.answerText(413, '<html><head><title>413</title></head><body><h1>Too large for us</h1></body></html>');
    expect(await screen.findByText('Failed')).toBeDefined();
    expect((await screen.findByText('Too large for us')).getAttribute('role')).toBe('alert');
  });
});

describe('§9 saved indicator', () => {
  test('shows ‘Saved.’ for two seconds after a name was saved', async () => {
    await show({ 'POST /server/sso/user/update_name': answer({ message: 'Your name is saved.' }) });
    await user.type(screen.getByLabelText('First name'), 'bel');
    await user.tab();
    await screen.findByText('Saved.');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(screen.queryByText('Saved.')).not.toBeNull();
    await vi.advanceTimersByTimeAsync(1_000);
    await waitFor(() => expect(screen.queryByText('Saved.')).toBeNull());
  });
});

describe('§2.12 TOTP MFA dialog', () => {
  const secret = { key: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', img: 'data:image/png;base64,' };
  const begin = async (submitted: ReturnType<typeof answer>) => {
    const asked = await show({
      [`GET /server/sso/getqrq/${own}`]: answer(secret),
      'POST /server/sso/submit_token': submitted,
    });
    await user.click(await screen.findByRole('button', { name: 'Set Up TOTP' }));
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    await user.type(await screen.findByLabelText('6-digit code'), '12');
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    return asked;
  };

  test('§5 a code is sent without a length check; FALSE shows the error', async () => {
    const asked = await begin(answer('FALSE'));
    expect(await screen.findByText('Unable to validate the provided code')).toBeDefined();
    expect(asked.find(({ path }) => path.endsWith('/submit_token'))?.body).toEqual({
      secret: secret.key,
      token: '12',
      email: profile.email,
    });
  });

  const codes = Array.from({ length: 10 }, (_, place) => `code-${place}`);
  const complete = answer({ message: 'TOTP MFA Setup Complete', recovery_codes: codes });
  const isShown = () => screen.queryByText('TOTP MFA Setup Complete') !== null;

  test('§9 after success the status is reloaded immediately, and the dialog closes after one second', async () => {
    const asked = await begin(complete);
    await screen.findByText('TOTP MFA Setup Complete');
    const lastAsked = (call: string) => asked.findLastIndex(({ path }) => path.includes(call));
    await waitFor(() => expect(lastAsked('mfa_status')).toBeGreaterThan(lastAsked('submit_token')));
    await vi.advanceTimersByTimeAsync(500);
    expect(isShown()).toBe(true);
    expect(screen.queryByText('code-0')).toBeNull();
    await vi.advanceTimersByTimeAsync(500);
    await waitFor(() => expect(isShown()).toBe(false));
    const kept = await screen.findByRole('dialog', { name: 'Save your recovery codes' });
    expect(within(kept).getAllByRole('listitem')).toHaveLength(10);
  });

  test('§2.12 the recovery codes stay after Escape, Enter and an early close, until they are confirmed as saved', async () => {
    await begin(complete);
    await screen.findByText('TOTP MFA Setup Complete');
    await user.keyboard('{Escape}');
    const kept = await screen.findByRole('dialog', { name: 'Save your recovery codes' });
    expect(isShown()).toBe(false);
    await user.keyboard('{Escape}{Enter}');
    expect(within(kept).queryByRole('button', { name: 'Close' })).toBeNull();
    expect(screen.queryByText('code-0')).not.toBeNull();
    const leaving = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
    await user.click(within(kept).getByRole('button', { name: 'I have saved them' }));
    await waitFor(() => expect(screen.queryByText('code-0')).toBeNull());
  });
});

describe('§2.5 Email MFA', () => {
  const path = 'POST /server/sso/user/enable_mail_mfa';
  const sent = answer({ message: 'We sent a code.', code_needed: true });
  const enable = async () => {
    await user.click(screen.getByRole('button', { name: 'Enable Email MFA' }));
    return card('Email MFA').findByLabelText('6-digit code');
  };

  test('is enabled with the mailed code', async () => {
    const asked = await show({ [path]: sent });
    const field = await enable();
    expect(field.getAttribute('autocomplete')).toBe('one-time-code');
    expect(screen.queryByRole('button', { name: 'Enable Email MFA' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Confirm code' }));
    expect(await screen.findByText('Enter the code from the email.')).toBeDefined();
    await user.type(field, '123456');
    await user.keyboard('{Enter}');
    const confirmed = { id: 1, email: 'ana@northlab.org', code: '123456' };
    await waitFor(() => expect(asked.map(({ body }) => body)).toContainEqual(confirmed));
  });

  test('reports a wrong code, sends another one, and can be cancelled', async () => {
    await show({ [path]: sent });
    const field = await enable();
    stubServer({ [path]: refusal('token_wrong') });
    await user.type(field, '000000{Enter}');
    expect(await screen.findByText('Unable to validate the provided code')).toBeDefined();
    const asked = stubServer({ [path]: sent });
    await user.click(screen.getByRole('button', { name: 'Send a new code' }));
    expect(await screen.findByText(/^A new code is on its way/)).toBeDefined();
    expect(asked[0]?.body).toEqual({ id: 1, email: 'ana@northlab.org' });
    expect(screen.queryByText('Unable to validate the provided code')).toBeNull();
    await user.click(card('Email MFA').getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Enable Email MFA' })).toBeDefined();
  });

  test('cannot be enabled if no mail is sent, but can be disabled', async () => {
    const silent = { [`GET /server/sso/profile/${own}`]: answer({ ...profile, sends_mail: false }) };
    await show(silent);
    expect(card('Email MFA').getByText(/this service does not send email yet/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Enable Email MFA' })).toBeNull();
  });
});

describe('§8 failures show the message of the server', () => {
  test('Email MFA: in a toast, and the card is unchanged', async () => {
    await show({ 'POST /server/sso/user/enable_mail_mfa': refusal('unavailable') });
    await user.click(screen.getByRole('button', { name: 'Enable Email MFA' }));
    expect(await screen.findByText(unavailable)).toBeDefined();
    expect(card('Email MFA').getByRole('img', { name: 'inactive' })).toBeDefined();
    expect(card('Email MFA').queryByLabelText('6-digit code')).toBeNull();
  });

  test('Password: in a toast, and the input is kept', async () => {
    const asked = await show({ 'PUT /server/sso/profile': refusal('unavailable') });
    for (const [label, text] of [
      ['Old password', 'old one'],
      ['New password', 'new one'],
      ['Confirm password', 'new one'],
    ] as const)
      await user.type(screen.getByLabelText(label), text);
    await user.click(screen.getByRole('button', { name: 'Reset Password' }));
    expect(await screen.findByText(unavailable)).toBeDefined();
    expect(screen.getByLabelText('New password')).toHaveProperty('value', 'new one');
    expect(asked.some(({ path }) => path.endsWith('sso_profile_done'))).toBe(false);
  });

  test('names: beside the fields, and the input is kept', async () => {
    await show({ 'POST /server/sso/user/update_name': refusal('unavailable') });
    await user.type(screen.getByLabelText('First name'), 'bel');
    await user.tab();
    expect(await card('Profile Details').findByText(unavailable)).toBeDefined();
    expect(screen.getByLabelText('First name')).toHaveProperty('value', 'Anabel');
  });
});
