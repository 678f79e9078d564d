import { beforeEach, describe, expect, test } from 'vitest';
import { blankDraft, readDraft, storeDraft } from './connect-draft.ts';

beforeEach(() => window.localStorage.clear());

const draft = { ...blankDraft, name: 'Charts', recipe: 'grafana', address: 'charts.northlab.org' };

describe('§2.6 the draft of an application', () => {
  test('belongs to its network', () => {
    storeDraft(7, draft);
    expect(readDraft(7)).toEqual(draft);
    expect(readDraft(8)).toEqual(blankDraft);
  });

  test('is removed when it is blank', () => {
    storeDraft(7, draft);
    storeDraft(7, blankDraft);
    expect(window.localStorage).toHaveLength(0);
  });

  test.each(['not JSON', '{}', '"text"', '{"name":1,"icon":"","recipe":"","address":""}'])(
    'is blank if %s was stored',
    (stored) => {
      storeDraft(7, draft);
      window.localStorage.setItem(window.localStorage.key(0) ?? '', stored);
      expect(readDraft(7)).toEqual(blankDraft);
    },
  );
});
