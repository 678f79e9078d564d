import type { LogLine } from '@opensocial/contract';
import { useEffect, useEffectEvent } from 'react';

type Hearing = {
  onLines: (lines: readonly LogLine[]) => void;
  /** Called when lines may have been missed: a new stream starts with the last half minute only. */
  onGap: () => void;
  /** Called when the server has closed the stream for good. */
  onRefused: () => void;
};

/** Shorter than the period with which a stream starts. */
const longestSilence = 20_000;

/**
 * Receives new lines over an EventSource while an address is given and the page is visible. Browsers allow few
 * connections per server, so a page in the background closes its stream.
 */
export const useLiveLines = (address: string | undefined, { onLines, onGap, onRefused }: Hearing): void => {
  const hearLines = useEffectEvent(onLines);
  const hearGap = useEffectEvent(onGap);
  const hearRefusal = useEffectEvent(onRefused);
  useEffect(() => {
    if (address === undefined) return undefined;
    let source: EventSource | undefined;
    let heardAt = Date.now();
    const hear = () => {
      heardAt = Date.now();
    };
    const open = () => {
      source = new EventSource(address);
      source.addEventListener('open', () => {
        if (Date.now() - heardAt > longestSilence) hearGap();
        hear();
      });
      source.addEventListener('beat', hear);
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        hear();
        hearLines(JSON.parse(data) as LogLine[]);
      });
      source.addEventListener('error', () => {
        // An interrupted EventSource reconnects by itself.
        if (source?.readyState === EventSource.CLOSED) hearRefusal();
      });
    };
    const handleVisibility = () => {
      source?.close();
      if (!document.hidden) open();
    };
    handleVisibility();
    document.addEventListener('visibilitychange', handleVisibility);
    return () => {
      document.removeEventListener('visibilitychange', handleVisibility);
      source?.close();
    };
  }, [address]);
};
