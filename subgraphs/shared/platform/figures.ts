// What a room says to Prometheus of its state: gauges whose values are read from the database when somebody asks for them, so that every process says the same.
import { Gauge, type Registry } from 'prom-client';

export interface Figure {
  gauge: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** Gauges that one reading answers. */
export interface Figures<Source> {
  /** name -> what it is, its unit in the name; its labels. */
  gauges: Readonly<Record<string, readonly [help: string, ...labelNames: string[]]>>;
  read(source: Source): Promise<Figure[]>;
}

/** One reading for all of its gauges, however many ask at once. Without an answer they have no values: a figure of before would lie. */
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
          // Without labels it would be 0 now.
          if (labelNames.length === 0) this.remove();
          for (const { gauge, labels = {}, value } of figures) if (gauge === name) this.set(labels, value);
        },
      }),
    );
}

/** The age of a moment in seconds; 0 for none. */
export const ageSeconds = (at: Date | string | null | undefined, now: Date): number =>
  at ? Math.max(0, (now.getTime() - new Date(at).getTime()) / 1_000) : 0;
