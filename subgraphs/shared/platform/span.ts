/** What a span says beside its name and times: names of the semantic conventions, and never a value of a customer's. */
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
