import { formatDecimal, formatNumber } from '../format/format.ts';

const kilobyte = 1024;

/** For example '12 KB' for 12,345 bytes. */
export const fileSize = (bytes: number): string => {
  const kilobytes = Math.max(1, Math.round(bytes / kilobyte));
  return kilobytes < kilobyte ? `${formatNumber(kilobytes)} KB` : `${formatDecimal(kilobytes / kilobyte)} MB`;
};
