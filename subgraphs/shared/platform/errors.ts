// What is said to a caller whose request failed is a Failure: a code of the closed catalogue (`schema/codes/catalogue.ts`) and what helps to go on.
// What is not a Failure is a bug: logged once, answered as `internal` without detail.
import { ERRORS, type ErrorCode, REASONS, type ReasonCode, type ReasonParams } from '../../../schema/codes/catalogue.ts';
import { fillIn } from '../../../schema/codes/sentence.ts';
import { isOutage, secondsUntilRetry } from './outage.ts';

export type { ErrorCode };

export type Params = Readonly<Record<string, string | number>>;

/** Why something is refused: a code of the catalogue, and what its sentence names. */
export interface Reason {
  code: ReasonCode;
  params: Params;
}

type Named<Code extends ReasonCode> = keyof ReasonParams<Code> extends never ? [] : [params: ReasonParams<Code>];

/** `because('server_not_running', { state })`. */
export const because = <Code extends ReasonCode>(code: Code, ...[params]: Named<Code>): Reason => ({ code, params: params ?? {} });

export const isReasonCode = (value: unknown): value is ReasonCode => typeof value === 'string' && Object.hasOwn(REASONS, value);

/** The English sentence of a reason, as it is published. */
export const sentenceOf = ({ code, params }: Reason): string => fillIn(REASONS[code], params, 'en');

/** What may be said beside the code; every member is public. */
export interface ErrorMeta {
  field?: string;
  allowed?: readonly (string | number)[];
  retry_after_seconds?: number;
  /** What a key would need. */
  required_scope?: string;
  /** Everything that is wrong, this included, where it is more than one thing. */
  faults?: readonly Failure[];
  /** Why; its sentence takes the place of the code's general one. */
  reason?: Reason;
  /** The caller's own order that stands where another was to be made. */
  order_id?: string;
}

/** The statement to a caller that its request failed: a code of the catalogue, its sentence, and details that help. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly meta: ErrorMeta;

  constructor(code: ErrorCode, meta: ErrorMeta = {}, message?: string) {
    super(message ?? (meta.reason ? sentenceOf(meta.reason) : ERRORS[code].message));
    this.name = 'Failure';
    this.code = code;
    this.meta = meta;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get retryable(): boolean {
    return 'retryable' in ERRORS[this.code];
  }
}

/** `throw fail('plan_expired', meta)`. `message` replaces the catalogue's sentence where a more exact one helps. */
export const fail = (code: ErrorCode, meta: ErrorMeta = {}, message?: string): Failure => new Failure(code, meta, message);

export const isErrorCode = (value: unknown): value is ErrorCode => typeof value === 'string' && Object.hasOwn(ERRORS, value);

/** A Failure as it is; a part that is away as `overloaded`; anything else as `internal`, of which the caller logs the original. */
export const toFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : isOutage(error)
      ? fail('overloaded', { retry_after_seconds: secondsUntilRetry(error) })
      : fail('internal');

/** The public form of a failure in GraphQL `extensions`. */
export const toExtensions = (failure: Failure, requestId: string): Record<string, unknown> => ({
  code: failure.code,
  requestId,
  retryable: failure.retryable,
  ...(failure.meta.field !== undefined && { field: failure.meta.field }),
  ...(failure.meta.allowed !== undefined && failure.meta.allowed.length > 0 && { allowed: failure.meta.allowed }),
  ...(failure.meta.retry_after_seconds !== undefined && { retryAfterSeconds: failure.meta.retry_after_seconds }),
  ...(failure.meta.order_id !== undefined && { orderId: failure.meta.order_id }),
  ...(failure.meta.reason !== undefined && { reasonCode: failure.meta.reason.code, params: failure.meta.reason.params }),
});

/** A Failure again from GraphQL `extensions`; undefined when the code is not of the catalogue. */
export function fromExtensions(message: string, extensions: Record<string, unknown> | undefined): Failure | undefined {
  const code = extensions?.['code'];
  if (!isErrorCode(code)) return undefined;
  const {
    field,
    allowed,
    retryAfterSeconds,
    orderId,
    reasonCode,
    params = {},
  } = extensions as {
    field?: string;
    allowed?: string[];
    retryAfterSeconds?: number;
    orderId?: string;
    reasonCode?: ReasonCode;
    params?: Params;
  };
  return fail(
    code,
    {
      ...(field !== undefined && { field }),
      ...(allowed !== undefined && { allowed }),
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
      ...(orderId !== undefined && { order_id: orderId }),
      ...(reasonCode !== undefined && { reason: { code: reasonCode, params } }),
    },
    message,
  );
}
