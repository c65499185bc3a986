// A Failure is what a caller is told about a request that failed: a code of the closed catalogue (`schema/codes/catalogue.ts`) and details that help. Any other
// error is a bug: logged once and answered as `internal` without detail.
import { ERRORS, type ErrorCode, REASONS, type ReasonCode, type ReasonParams } from '../../../schema/codes/catalogue.ts';
import { fillIn } from '../../../schema/codes/sentence.ts';
import { isOutage, secondsUntilRetry } from './outage.ts';

export type { ErrorCode };

export type Params = Readonly<Record<string, string | number>>;

/** Why something is refused: a code of the catalogue, and the values in its sentence. */
export interface Reason {
  code: ReasonCode;
  params: Params;
}

type Named<Code extends ReasonCode> = keyof ReasonParams<Code> extends never ? [] : [params: ReasonParams<Code>];

/** For example `because('server_not_running', { state })`. */
export const because = <Code extends ReasonCode>(code: Code, ...[params]: Named<Code>): Reason => ({ code, params: params ?? {} });

export const isReasonCode = (value: unknown): value is ReasonCode => typeof value === 'string' && Object.hasOwn(REASONS, value);

/** The published English sentence of a reason. */
export const sentenceOf = ({ code, params }: Reason): string => fillIn(REASONS[code], params, 'en');

/** Details beside the code; every member is public. */
export interface ErrorMeta {
  field?: string;
  allowed?: readonly (string | number)[];
  retry_after_seconds?: number;
  /** The scope that the key lacks. */
  required_scope?: string;
  /** All failures, this one included, when there are several. */
  faults?: readonly Failure[];
  /** Why; its sentence replaces the code's general one. */
  reason?: Reason;
  /** The caller's existing order that prevents a new one. */
  order_id?: string;
}

/** What a caller is told about a failed request: a code of the catalogue, its sentence, and details that help. */
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

/** `throw fail('plan_expired', meta)`. `message` replaces the catalogue's sentence when a more exact one helps. */
export const fail = (code: ErrorCode, meta: ErrorMeta = {}, message?: string): Failure => new Failure(code, meta, message);

export const isErrorCode = (value: unknown): value is ErrorCode => typeof value === 'string' && Object.hasOwn(ERRORS, value);

/** A Failure as it is; an outage of something that we depend on as `overloaded`; anything else as `internal`: the caller logs the original. */
export const toFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : isOutage(error)
      ? fail('overloaded', { retry_after_seconds: secondsUntilRetry(error) })
      : fail('internal');

/** The public form of a failure, for GraphQL `extensions`. */
export const toExtensions = (failure: Failure, requestId: string): Record<string, unknown> => ({
  code: failure.code,
  requestId,
  retryable: failure.retryable,
  ...(failure.meta.field !== undefined && { field: failure.meta.field }),
  ...(failure.meta.allowed !== undefined && failure.meta.allowed.length > 0 && { allowed: failure.meta.allowed }),
  ...(failure.meta.retry_after_seconds !== undefined && { retryAfterSeconds: failure.meta.retry_after_seconds }),
  ...(failure.meta.required_scope !== undefined && { requiredScope: failure.meta.required_scope }),
  ...(failure.meta.order_id !== undefined && { orderId: failure.meta.order_id }),
  ...(failure.meta.reason !== undefined && { reasonCode: failure.meta.reason.code, params: failure.meta.reason.params }),
});

/** The Failure in GraphQL `extensions`; undefined when the catalogue does not have the code. */
export function fromExtensions(message: string, extensions: Record<string, unknown> | undefined): Failure | undefined {
  const code = extensions?.['code'];
  if (!isErrorCode(code)) return undefined;
  const {
    field,
    allowed,
    retryAfterSeconds,
    requiredScope,
    orderId,
    reasonCode,
    params = {},
  } = extensions as {
    field?: string;
    allowed?: string[];
    retryAfterSeconds?: number;
    requiredScope?: string;
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
      ...(requiredScope !== undefined && { required_scope: requiredScope }),
      ...(orderId !== undefined && { order_id: orderId }),
      ...(reasonCode !== undefined && { reason: { code: reasonCode, params } }),
    },
    message,
  );
}
