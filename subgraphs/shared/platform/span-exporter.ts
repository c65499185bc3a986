// Sends spans to a collector in batches. A collector that does not answer blocks nobody: spans beyond the queue are dropped and counted.
// https://opentelemetry.io/docs/specs/otel/trace/sdk/#batching-processor
import { SECOND } from './clock.ts';
import type { Log } from './log.ts';
import type { TracingConfig } from './tracing-configuration.ts';
import type { Attributes, Span, SpanKind } from './span.ts';

export interface SpanExporter {
  add(span: Span): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

const BATCH = 512;
const QUEUE = 2_048;
const EVERY_MS = 5 * SECOND;
const ANSWER_MS = 10 * SECOND;
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };
const FAILED = 2;

/** Undefined when no endpoint is configured. */
export function createSpanExporter(config: TracingConfig, service: string, log: Log): SpanExporter | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = config;
  const endpoint = whole ?? (base && `${base.replace(/\/$/, '')}/v1/traces`);
  if (endpoint === undefined) return undefined;
  const headers = { 'content-type': 'application/json', ...headersOf(config.OTEL_EXPORTER_OTLP_HEADERS) };
  const resource = { attributes: attributesOf({ 'service.name': config.OTEL_SERVICE_NAME ?? service, 'process.pid': process.pid }) };
  let waiting: Span[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'egress' }, spans: batch.map(toOtlp) }] }] });
      try {
        const answer = await fetch(endpoint as string, { method: 'POST', headers, body, signal: AbortSignal.timeout(ANSWER_MS) });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`it answers ${answer.status}`);
      } catch (error) {
        dropped += batch.length;
        log.warn({ dropped, error: String((error as Error).cause ?? error) }, 'spans could not be told to the collector');
        return;
      }
    }
  }
  const flush = (): Promise<void> => (sending ??= send().finally(() => (sending = undefined)));

  const timer = setInterval(() => void flush(), EVERY_MS);
  timer.unref();
  return {
    add(span) {
      if (waiting.length >= QUEUE) dropped++;
      else if (waiting.push(span) >= BATCH) void flush();
    },
    async close() {
      clearInterval(timer);
      await sending;
      await flush();
    },
  };
}

const headersOf = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim())]),
  );

const valueOf = (value: string | number | boolean) => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  // OTLP's JSON has 64-bit integers as strings.
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: valueOf(value) }]));

const toOtlp = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: String(span.began),
  endTimeUnixNano: String(span.ended),
  attributes: attributesOf({ ...span.attributes, ...(span.failed !== undefined && { 'error.type': span.failed }) }),
  status: span.failed === undefined ? {} : { code: FAILED },
});
