import type { LogLine } from '@opensocial/contract';
import { useEffect, useEffectEvent } from 'react';

type LiveLineHandlers = {
  onLines: (lines: readonly LogLine[]) => void;
  /** Called when lines may have been missed: a new stream starts with the last half minute only. */
  onGap: () => void;
  /** Called when the server has closed the stream for good. */
  onRefused: () => void;
};

/** Shorter than the period with which a stream starts. */
const maxSilence = 20_000;

/**
 * Receives new lines over an EventSource while an address is given and the page is visible. Browsers allow few
 * connections per server, so a page in the background closes its stream.
 */
export const useLiveLines = (address: string | undefined, { onLines, onGap, onRefused }: LiveLineHandlers): void => {
  const handleLines = useEffectEvent(onLines);
  const handleGap = useEffectEvent(onGap);
  const handleRefusal = useEffectEvent(onRefused);
  useEffect(() => {
    if (address === undefined) return undefined;
    let source: EventSource | undefined;
    let lastEventAt = Date.now();
    const noteEvent = () => {
      lastEventAt = Date.now();
    };
    const open = () => {
      source = new EventSource(address);
      source.addEventListener('open', () => {
        if (Date.now() - lastEventAt > maxSilence) handleGap();
        noteEvent();
      });
      source.addEventListener('beat', noteEvent);
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        noteEvent();
        handleLines(JSON.parse(data) as LogLine[]);
      });
      source.addEventListener('error', () => {
        // An interrupted EventSource reconnects by itself.
        if (source?.readyState === EventSource.CLOSED) handleRefusal();
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
