import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

/** Downloads a list with its search and filters as a file. */
export function ExportLink({ href }: { href: string }) {
  return (
    <Button component="a" href={href} download variant="default" leftSection={<IconDownload size={17} stroke={1.8} />}>
      Export CSV
    </Button>
  );
}
