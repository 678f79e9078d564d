import type { PolicyReach } from '@opensocial/contract';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { affectsAnybody, ImpactDialog } from './impact-dialog.tsx';

const reach = (changes: Partial<PolicyReach>): PolicyReach => ({
  users: 40,
  old_passwords: 0,
  without_mfa: 0,
  locks_out: false,
  locks_you_out: false,
  inactive: 0,
  ...changes,
});

const show = (changes: Partial<PolicyReach>) => {
  const onConfirm = vi.fn();
  const element = (
    <ImpactDialog impact={{ policy: reach(changes) }} busy={false} onConfirm={onConfirm} onCancel={() => {}} />
  );
  renderScreen({ path: 'settings', element }, '/settings');
  return { onConfirm, save: () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save settings' }) };
};

describe('§2.10 who is affected', () => {
  test('people who are asked for a second factor at their next sign-in are only named', async () => {
    const { onConfirm, save } = show({ without_mfa: 3 });
    expect(screen.getByText('3 users have no second factor yet and will have to set one up.')).toBeDefined();
    await userEvent.click(save());
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  test('people who would be locked out need a confirmation of their own', async () => {
    const { onConfirm, save } = show({ without_mfa: 12, locks_out: true });
    expect(
      screen.getByText('12 users have no second factor yet and will not be able to sign in any more.'),
    ).toBeDefined();
    expect(save().disabled).toBe(true);
    await userEvent.click(screen.getByLabelText('Save although these people cannot sign in'));
    await userEvent.click(save());
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  test('somebody who would be locked out cannot save', () => {
    const { save } = show({ without_mfa: 12, locks_out: true, locks_you_out: true });
    expect(save().disabled).toBe(true);
    expect(screen.getByRole('link', { name: 'Profile' }).getAttribute('href')).toBe('/profile');
    expect(screen.queryByLabelText('Save although these people cannot sign in')).toBeNull();
    // An owner of the main network whose home is another one is not in the count.
    expect(affectsAnybody({ policy: reach({ locks_you_out: true }) })).toBe(true);
  });
});
