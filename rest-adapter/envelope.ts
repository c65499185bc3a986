// The JSON envelope of every REST answer. Spec, Errors.
import type { ErrorCode, Failure, Params } from '#platform/errors.ts';
import { ERRORS, type ReasonCode } from '../schema/codes.ts';

/** `meta` of an error. Spec is silent on its members; `/v1` only ever adds to them. */
export interface FailureMeta {
  code: ErrorCode;
  request_id: string;
  field?: string;
  allowed?: readonly (string | number)[];
  retryable?: true;
  retry_after_seconds?: number;
  /** Of the reason that `message` gives, and what it names. */
  reason_code?: ReasonCode;
  params?: Params;
}

export const toMeta = ({ code, meta, retryable }: Failure, requestId: string): FailureMeta => ({
  code,
  request_id: requestId,
  ...(meta.field !== undefined && { field: meta.field }),
  ...(meta.allowed !== undefined && { allowed: meta.allowed }),
  ...(retryable && { retryable }),
  ...(meta.retry_after_seconds !== undefined && { retry_after_seconds: meta.retry_after_seconds }),
  ...(meta.reason !== undefined && { reason_code: meta.reason.code, params: meta.reason.params }),
});

export const toSuccess = (data: object, message: string) => ({ statusCode: 200, data, message, success: true, error: null });

export const toError = (failure: Failure, requestId: string) => ({
  statusCode: failure.status,
  success: false,
  message: failure.message,
  meta: toMeta(failure, requestId),
});

/** What any endpoint may answer, whatever was asked. */
export const COMMON_CODES = [
  'key_missing',
  'key_malformed',
  'key_unknown',
  'key_expired',
  'key_revoked',
  'api_not_allowed',
  'rate_limited',
  'internal',
  'overloaded',
] as const satisfies readonly ErrorCode[];

/** Spec, Errors: the statuses of the API. */
export const statusOf = (code: ErrorCode): number => ERRORS[code].status;
