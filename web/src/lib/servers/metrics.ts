// The metrics of each kind of server, as figures and as lines of a chart, with their queries.
import type { TypedDocumentNode } from '@urql/core';
import type { KindFacts } from './kind-facts.ts';
import { formatBytes } from '#lib/format/bytes.ts';
import { numberLocale } from '#lib/text/language.ts';
import { DedicatedMetrics, DedicatedMetricsChanged, type MetalMetrics } from '#lib/ops/dedicated.ts';
import { VpsMetrics, VpsMetricsChanged, type Metrics } from '#lib/ops/vps.ts';
import { t } from '#lib/text/servers.ts';

const percent = new Intl.NumberFormat(numberLocale, { style: 'percent', maximumFractionDigits: 1 });

/** Memory in GB of 2^30 bytes, as in the plans; rates use steps of a thousand. */
export const formatMemory = (bytes: number): string =>
  `${new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 1 }).format(bytes / 1_073_741_824)} GB`;
const formatShare = (ratio: number): string => percent.format(ratio);
function formatRate(bytesPerSecond: number): string {
  const bytes = String(Math.round(bytesPerSecond));
  return `${formatBytes(bytes, bytes === '0' ? { like: '1' } : {})}/s`;
}

/** One measurement of a server of either kind. */
export type Measured = { at: string } & Partial<Record<Exclude<keyof Metrics | keyof MetalMetrics, 'at'>, number | null>>;

/** One chart: its lines over the measurements. A value that was not measured is null or missing. */
export interface Figure {
  name: string;
  title: string;
  lines: { label: string; of: (point: Measured) => number | null | undefined }[];
  format: (value: number) => string;
  /** The total of which the present value is a part. */
  whole?: (now: Measured) => string;
}

/** The metrics of one kind of server. */
export interface Series {
  asked: TypedDocumentNode<
    { server: { __typename: string; metrics?: readonly Measured[] } },
    { id: string; span: 'HOUR' | 'DAY' | 'WEEK' }
  >;
  changed: TypedDocumentNode<{ now: Measured }, { id: string }>;
  figures: readonly Figure[];
  lead?: string;
}

const text = t.server.metrics;
const ofMetal = t.dedicated.metrics;

const CPU: Figure = {
  name: 'cpu',
  title: text.cpu,
  format: formatShare,
  lines: [{ label: text.cpu, of: ({ cpuRatio }) => cpuRatio }],
};
const NETWORK: Figure = {
  name: 'network',
  title: text.network,
  format: formatRate,
  lines: [
    { label: text.in, of: ({ netInBytesPerSecond }) => netInBytesPerSecond },
    { label: text.out, of: ({ netOutBytesPerSecond }) => netOutBytesPerSecond },
  ],
};

export const SERIES: Record<KindFacts['name'], Series> = {
  VPS: {
    asked: VpsMetrics,
    changed: VpsMetricsChanged,
    figures: [
      CPU,
      {
        name: 'memory',
        title: text.memory,
        format: formatMemory,
        lines: [{ label: text.memory, of: ({ memoryBytes }) => memoryBytes }],
        whole: ({ memoryTotalBytes }) => text.of(formatMemory(memoryTotalBytes ?? 0)),
      },
      {
        name: 'disk',
        title: text.disk,
        format: formatRate,
        lines: [
          { label: text.read, of: ({ diskReadBytesPerSecond }) => diskReadBytesPerSecond },
          { label: text.write, of: ({ diskWriteBytesPerSecond }) => diskWriteBytesPerSecond },
        ],
      },
      NETWORK,
    ],
  },
  // What the controller of the machine measures.
  DEDICATED: {
    asked: DedicatedMetrics,
    changed: DedicatedMetricsChanged,
    lead: ofMetal.lead,
    figures: [
      CPU,
      { name: 'memory', title: text.memory, format: formatShare, lines: [{ label: text.memory, of: ({ memoryRatio }) => memoryRatio }] },
      { name: 'disk', title: text.disk, format: formatShare, lines: [{ label: text.disk, of: ({ diskRatio }) => diskRatio }] },
      NETWORK,
      { name: 'power', title: ofMetal.power, format: ofMetal.watts, lines: [{ label: ofMetal.power, of: ({ watts }) => watts }] },
      {
        name: 'temperature',
        title: ofMetal.temperature,
        format: ofMetal.celsius,
        lines: [{ label: ofMetal.temperature, of: ({ inletCelsius }) => inletCelsius }],
      },
    ],
  },
};
