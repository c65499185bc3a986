// Counts the outcomes of reported lines, for Prometheus.
import { Counter } from 'prom-client';
import type { Metrics } from '#platform/metrics.ts';

const NAME = 'egress_usage_lines_total';

export interface UsageReceipt {
  counted: number;
  repeated: number;
  unknown: number;
  quarantined: number;
  refused: readonly object[];
}

/** Returns a function that counts the outcomes of a network's lines. There is one counter per registry, even when several subgraphs of a process ask for it. */
export function createUsageCounter({ registry }: Pick<Metrics, 'registry'>): (source: string, receipt: UsageReceipt) => void {
  const lines =
    (registry.getSingleMetric(NAME) as Counter<'source' | 'outcome'> | undefined) ??
    new Counter({
      name: NAME,
      help: 'Lines that networks reported, by source and what became of them; quarantined ones wait for support',
      labelNames: ['source', 'outcome'],
      registers: [registry],
    });
  return (source, { refused, ...outcomes }) => {
    for (const [outcome, count] of Object.entries({ ...outcomes, refused: refused.length }))
      if (count > 0) lines.inc({ source, outcome }, count);
  };
}
