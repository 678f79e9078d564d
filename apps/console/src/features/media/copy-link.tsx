import { Button } from '@mantine/core';
import { IconCheck, IconLink } from '@tabler/icons-react';
import { useCopy } from '../../patterns/copy-field/use-copy.ts';

type CopyLinkProps = { address: string };

export function CopyLink({ address }: CopyLinkProps) {
  const { copied, copy } = useCopy();
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={copied ? <IconCheck size={16} /> : <IconLink size={16} stroke={1.8} />}
      onClick={() => copy(new URL(address, window.location.origin).href)}
    >
      <span aria-live="polite">{copied ? 'Link copied' : 'Copy link'}</span>
    </Button>
  );
}
