import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconLink } from '@tabler/icons-react';

type CopyLinkProps = { address: string };

export function CopyLink({ address }: CopyLinkProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
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
