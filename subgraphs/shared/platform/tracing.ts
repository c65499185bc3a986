// Traces of requests through all parts, sent to an OpenTelemetry collector when one is configured; otherwise nothing is measured. They are propagated as in
// https://www.w3.org/TR/trace-context/ and sent by OTLP over HTTP in JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { systemClock } from './clock.ts';
import type { Attributes, SpanKind } from './span.ts';
import { type SpanExporter, createSpanExporter } from './span-exporter.ts';
import { type Sampler, samplerOf } from './trace-sampler.ts';
import type { Log } from './log.ts';
import type { TracingConfig } from './tracing-configuration.ts';

interface Place {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

interface Tracing {
  exporter: SpanExporter;
  samples: Sampler;
}

const places = new AsyncLocalStorage<Place>();
let tracing: Tracing | undefined;

/** What a piece of work adds to its span while it runs. */
export interface SpanNotes {
  attributes: Record<string, string | number | boolean | undefined>;
}

/** Starts tracing in this process; `close` sends the remaining spans. Does nothing without an endpoint. */
export function startTracing(config: TracingConfig, service: string, log: Log): { close(): Promise<void> } {
  const exporter = createSpanExporter(config, service, log);
  if (!exporter) return { close: async () => {} };
  const own: Tracing = { exporter, samples: samplerOf(config) };
  tracing = own;
  return {
    async close() {
      if (tracing === own) tracing = undefined;
      await exporter.close();
    },
  };
}

export const isTracing = (): boolean => tracing !== undefined;

const ORIGIN = process.hrtime.bigint();
const BEGAN = BigInt(systemClock.now().getTime()) * 1_000_000n;
/** A clock that never goes back, unlike the system's. */
const nowNanos = (): bigint => BEGAN + (process.hrtime.bigint() - ORIGIN);

const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function placeOf(traceparent: string | undefined): Place | undefined {
  const [, traceId = '', spanId = '', flags = ''] = PARENT.exec(traceparent ?? '') ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export interface Beginning {
  name: string;
  kind?: SpanKind;
  attributes?: Attributes;
  /** The caller's header; undefined: the current trace, or a new one. */
  traceparent?: string | undefined;
}

/** Runs work as a span of the current trace. Of an error only the code or class is recorded. */
export async function traced<Result>(beginning: Beginning, work: (notes: SpanNotes) => Promise<Result> | Result): Promise<Result> {
  const notes: SpanNotes = { attributes: { ...beginning.attributes } };
  if (!tracing) return work(notes);
  const { exporter, samples } = tracing;
  const parent = placeOf(beginning.traceparent) ?? places.getStore();
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
  const place: Place = { traceId, spanId: randomBytes(8).toString('hex'), sampled: samples(traceId, parent?.sampled) };
  if (!place.sampled) return places.run(place, () => work(notes));
  const began = nowNanos();
  let failed: string | undefined;
  try {
    return await places.run(place, () => work(notes));
  } catch (error) {
    failed = nameOf(error);
    throw error;
  } finally {
    exporter.add({
      traceId,
      spanId: place.spanId,
      ...(parent && { parentId: parent.spanId }),
      name: beginning.name,
      kind: beginning.kind ?? 'internal',
      began,
      ended: nowNanos(),
      attributes: notes.attributes,
      ...(failed !== undefined && { failed }),
    });
  }
}

/** The error's code or class: its message may contain a customer's data. */
const nameOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
};

/** The header for a call to another part of the platform; never for one to a vendor. */
export function traceHeaders(): { traceparent?: string } {
  const place = tracing && places.getStore();
  return place ? { traceparent: `00-${place.traceId}-${place.spanId}-${place.sampled ? '01' : '00'}` } : {};
}

/** The caller's header; trust it only from a part of the platform or a proxy in front of it. */
export const traceparentOf = ({ headers }: { headers: Readonly<Record<string, string | string[] | undefined>> }): string | undefined => {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : undefined;
};

/** The id of the current trace, for the log; undefined when it is not sampled. */
export const traceId = (): string | undefined => (tracing && places.getStore()?.sampled ? places.getStore()?.traceId : undefined);

/** Binds a callback to the current trace, even when another request's work calls it. */
export const inThisTrace = <Args extends unknown[], Result>(callback: (...args: Args) => Result): ((...args: Args) => Result) =>
  tracing ? (AsyncLocalStorage.bind(callback) as typeof callback) : callback;
