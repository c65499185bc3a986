// The JSON envelope of every REST answer. Spec, Errors.
import type { ErrorCode, Failure, Params } from '#platform/errors.ts';
import { ERRORS, type ReasonCode } from '../schema/codes/catalogue.ts';

/** `meta` of an error. The Spec does not name its members; in `/v1` members are only added. */
export interface FailureMeta {
  code: ErrorCode;
  request_id: string;
  field?: string;
  allowed?: readonly (string | number)[];
  retryable?: true;
  retry_after_seconds?: number;
  /** The code of the reason in `message`, and the values that its sentence contains. */
  reason_code?: ReasonCode;
  params?: Params;
  /** The scope that the key lacks. */
  required_scope?: string;
  /** All faults, when there is more than one. */
  faults?: readonly { code: ErrorCode; message: string; field?: string; allowed?: readonly (string | number)[] }[];
  /** The path of the page about the code. */
  docs: string;
}

/** The path of the page about a code, on the same host. */
export const docsOf = (code: ErrorCode): string => `/docs/errors/${code}`;

export const toMeta = ({ code, meta, retryable }: Failure, requestId: string): FailureMeta => ({
  code,
  request_id: requestId,
  ...(meta.field !== undefined && { field: meta.field }),
  // No accepted value is known: an empty list would mean that none exists.
  ...(meta.allowed !== undefined && meta.allowed.length > 0 && { allowed: meta.allowed }),
  ...(retryable && { retryable }),
  ...(meta.retry_after_seconds !== undefined && { retry_after_seconds: meta.retry_after_seconds }),
  ...(meta.reason !== undefined && { reason_code: meta.reason.code, params: meta.reason.params }),
  ...(meta.required_scope !== undefined && { required_scope: meta.required_scope }),
  ...(meta.faults !== undefined && { faults: meta.faults.map(toFault) }),
  docs: docsOf(code),
});

const toFault = ({ code, message, meta: { field, allowed } }: Failure) => ({
  code,
  message,
  ...(field !== undefined && { field }),
  ...(allowed !== undefined && allowed.length > 0 && { allowed }),
});

export const toSuccess = (data: object, message: string, statusCode: 200 | 202) => ({
  statusCode,
  data,
  message,
  success: true,
  error: null,
});

export const toError = (failure: Failure, requestId: string) => ({
  statusCode: failure.status,
  success: false,
  message: failure.message,
  meta: toMeta(failure, requestId),
});

/** The same failure in the format of RFC 9457, with the members of `meta` besides the standard's. */
export function toProblem(failure: Failure, requestId: string) {
  const { docs, ...meta } = toMeta(failure, requestId);
  return {
    type: docs,
    title: ERRORS[failure.code].message,
    status: failure.status,
    detail: failure.message,
    instance: `urn:egress:request:${requestId}`,
    ...meta,
  };
}

/** Codes that every endpoint may answer. */
export const COMMON_CODES = [
  'key_missing',
  'key_malformed',
  'key_unknown',
  'key_expired',
  'key_revoked',
  'account_suspended',
  'address_not_allowed',
  'api_not_allowed',
  'forbidden',
  'method_not_allowed',
  'not_acceptable',
  'rate_limited',
  'internal',
  'overloaded',
] as const satisfies readonly ErrorCode[];

/** Spec, Errors: the statuses of the API. */
export const statusOf = (code: ErrorCode): number => ERRORS[code].status;
