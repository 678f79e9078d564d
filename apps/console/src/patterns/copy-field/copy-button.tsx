import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCopy } from './use-copy.ts';

type CopyButtonProps = {
  /** What the button does, for screen readers: "Copy" and what is copied. */
  name: string;
  value: string;
  onCopied?: (() => void) | undefined;
};

/** A button that copies a value. */
export function CopyButton({ name, value, onCopied }: CopyButtonProps) {
  const { copied, copy } = useCopy(onCopied);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color={copied ? 'green' : 'gray'}
        size={36}
        aria-label={name}
        onClick={() => copy(value)}
      >
        {copied ? <IconCheck size={18} /> : <IconCopy size={18} stroke={1.8} />}
      </ActionIcon>
      <span className="visually-hidden" role="status">
        {copied && `${name.replace(/^Copy /, '')} copied`}
      </span>
    </>
  );
}
