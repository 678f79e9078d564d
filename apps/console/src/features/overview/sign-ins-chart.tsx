import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { SignInStatistics } from '@opensocial/contract';
import { formatNumber } from '../../patterns/format/format.ts';
import { longName, shortName } from './overview-texts.ts';
import classes from './sign-ins-chart.module.css';

type SignInsChartProps = { statistics: SignInStatistics };

const series = [
  { name: 'succeeded', label: 'Successful', color: 'var(--accent)' },
  { name: 'failed', label: 'Failed', color: 'var(--bad)' },
];

/**
 * The bars of successful and failed sign-ins. It is an image for screen readers, which have the same numbers as a table; the keyboard does
 * not stop at it. Failures are above the line that separates the two, so that colour is not the only difference.
 */
export function SignInsChart({ statistics: { unit, buckets } }: SignInsChartProps) {
  const names = new Map(buckets.map(({ start }) => [start, longName(start, unit)]));
  return (
    <BarChart
      className={classes.chart}
      h="100%"
      data={buckets}
      dataKey="start"
      series={series}
      type="stacked"
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      withLegend={false}
      valueFormatter={formatNumber}
      // The label of the last bar is wider than the bar.
      barChartProps={{
        accessibilityLayer: false,
        barCategoryGap: '18%',
        margin: { top: 5, right: 20, bottom: 5, left: 5 },
      }}
      barProps={{ isAnimationActive: false, stroke: 'var(--surface)', strokeWidth: 1, radius: 2 }}
      xAxisProps={{ tickFormatter: (start: string) => shortName(start, unit), minTickGap: 28 }}
      yAxisProps={{ width: 44, allowDecimals: false }}
      tooltipAnimationDuration={0}
      tooltipProps={{ labelFormatter: (start) => (typeof start === 'string' ? names.get(start) : undefined) }}
    />
  );
}
