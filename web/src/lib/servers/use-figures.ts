// What a server uses, as figures and as lines of a chart.
import { formatBytes } from '#lib/format/bytes.ts';
import { numberLocale } from '#lib/text/language.ts';
import type { Metrics } from '#lib/ops/vps.ts';
import { t } from '#lib/text/servers.ts';

const percent = new Intl.NumberFormat(numberLocale, { style: 'percent', maximumFractionDigits: 1 });

/** Memory in GB of 2^30 bytes, as plans count it; flows in steps of a thousand. */
export const formatMemory = (bytes: number): string =>
  `${new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 1 }).format(bytes / 1_073_741_824)} GB`;
export const formatShare = (ratio: number): string => percent.format(ratio);
export function formatRate(bytesPerSecond: number): string {
  const bytes = String(Math.round(bytesPerSecond));
  return `${formatBytes(bytes, bytes === '0' ? { like: '1' } : {})}/s`;
}

/** One chart: its lines over measurements of one kind. `null` stands for what was not measured. */
export interface Figure<Point> {
  name: string;
  title: string;
  lines: { label: string; of: (point: Point) => number | null }[];
  format: (value: number) => string;
}

const text = t.server.metrics;
/** What every kind of server measures. */
export const CPU: Figure<{ cpuRatio: number | null }> = {
  name: 'cpu',
  title: text.cpu,
  format: formatShare,
  lines: [{ label: text.cpu, of: ({ cpuRatio }) => cpuRatio }],
};
export const NETWORK: Figure<{ netInBytesPerSecond: number | null; netOutBytesPerSecond: number | null }> = {
  name: 'network',
  title: text.network,
  format: formatRate,
  lines: [
    { label: text.in, of: (metrics) => metrics.netInBytesPerSecond },
    { label: text.out, of: (metrics) => metrics.netOutBytesPerSecond },
  ],
};
export const FIGURES: readonly Figure<Metrics>[] = [
  CPU,
  { name: 'memory', title: text.memory, format: formatMemory, lines: [{ label: text.memory, of: ({ memoryBytes }) => memoryBytes }] },
  {
    name: 'disk',
    title: text.disk,
    format: formatRate,
    lines: [
      { label: text.read, of: (metrics) => metrics.diskReadBytesPerSecond },
      { label: text.write, of: (metrics) => metrics.diskWriteBytesPerSecond },
    ],
  },
  NETWORK,
];
