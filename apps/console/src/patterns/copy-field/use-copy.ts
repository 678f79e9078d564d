import { useClipboard } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';
import { showFault } from '../toast/show-fault.tsx';

/** Copies text. Browsers refuse it on plain http pages, and where a person has not allowed it. */
export const useCopy = (onCopied?: () => void): { copied: boolean; copy: (text: string) => void } => {
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  const report = useEffectEvent(() => onCopied?.());
  useEffect(() => {
    if (copied) report();
  }, [copied]);
  useEffect(() => {
    if (error) showFault('The browser did not allow copying. Select the text and press Ctrl+C.');
  }, [error]);
  return { copied, copy };
};
