import type { Total } from '../../api/transport/paged-query.ts';
import { formatNumber } from './format.ts';

/** '1,204', or 'more than 100,000' if no more rows were counted. */
export const formatTotal = ({ total, isMinimum }: Total): string =>
  isMinimum ? `more than ${formatNumber(total)}` : formatNumber(total);
