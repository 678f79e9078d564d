import type { AccessStepId, SiteTestCheck } from '@opensocial/contract';
import type { Parts } from '../../parts.ts';
import { explainAccess } from '../access-checks/access-checks.service.ts';
import { explainFailure } from '../diagnosis/diagnosis.service.ts';
import type { TestExplainer } from '../sign-in/sign-in.service.ts';

const labels: Record<AccessStepId, string> = {
  invitation: 'Invitation',
  login: 'Login',
  lock: 'Wrong passwords',
  confirmed: 'Confirmed account',
  active: 'Active account',
  in_use: 'Inactivity',
  factor: 'Second factor',
  password: 'Password',
  member: 'Member',
  unblocked: 'Access to the network',
  site_status: 'Site active',
  site_mode: 'Site open',
  groups: 'Groups',
};

/** Explains tests with the words of the diagnosis and of the access checks. */
export const createTestExplainer = (parts: Parts): TestExplainer => ({
  explainFailure: async (siteId, failure) => {
    const { sentence, advice } = await explainFailure(parts.db, siteId, failure);
    return [sentence, advice].filter(Boolean).join(' ');
  },
  explainAccess: async (network, person) => {
    const { steps } = await explainAccess(parts, network, person);
    return steps.map(({ id, outcome, text }): SiteTestCheck => ({ label: labels[id], outcome, text }));
  },
});
