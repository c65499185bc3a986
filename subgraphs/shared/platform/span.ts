/** Attributes of a span, with names of OpenTelemetry's semantic conventions. Never a customer's data. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export interface Span {
  traceId: string;
  spanId: string;
  parentId?: string;
  name: string;
  kind: SpanKind;
  /** Nanoseconds since 1970. */
  began: bigint;
  ended: bigint;
  attributes: Attributes;
  failed?: string;
}
