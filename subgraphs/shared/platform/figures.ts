// A subgraph's gauges for Prometheus. Their values are read from the database when somebody asks for them, so that every process reports the same.
import { Gauge, type Registry } from 'prom-client';

export interface Figure {
  gauge: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** Gauges whose values come from one read. */
export interface Figures<Source> {
  /** name (with its unit) -> [help, label names]. */
  gauges: Readonly<Record<string, readonly [help: string, ...labelNames: string[]]>>;
  read(source: Source): Promise<Figure[]>;
}

/**
 * Registers the gauges: one read serves all of them, for any number of concurrent requests. When the read fails they have no values: old ones would be wrong.
 */
export function registerFigures<Source>(registry: Registry, { gauges, read }: Figures<Source>, source: () => Source): void {
  let asked: Promise<Figure[]> | undefined;
  const current = (): Promise<Figure[]> => {
    asked ??= read(source())
      .catch(() => [])
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
  for (const [name, [help, ...labelNames]] of Object.entries(gauges))
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames,
        registers: [],
        async collect() {
          const figures = await current();
          this.reset();
          // `reset` sets a gauge without labels to 0.
          if (labelNames.length === 0) this.remove();
          for (const { gauge, labels = {}, value } of figures) if (gauge === name) this.set(labels, value);
        },
      }),
    );
}

/** The age of a moment in seconds; 0 for none. */
export const ageSeconds = (at: Date | string | null | undefined, now: Date): number =>
  at ? Math.max(0, (now.getTime() - new Date(at).getTime()) / 1_000) : 0;
