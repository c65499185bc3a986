// The JSON envelope of every REST answer. Spec, Errors.
import type { ErrorCode, Failure, Params } from '#platform/errors.ts';
import { ERRORS, type ReasonCode } from '../schema/codes/catalogue.ts';

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
  /** What the key would need. */
  required_scope?: string;
  /** Everything that is wrong, where it is more than one thing. */
  faults?: readonly { code: ErrorCode; message: string; field?: string; allowed?: readonly (string | number)[] }[];
  /** The page about the code. */
  docs: string;
}

/** Path of the page about a code, on the host that answered. */
export const docsOf = (code: ErrorCode): string => `/docs/errors/${code}`;

export const toMeta = ({ code, meta, retryable }: Failure, requestId: string): FailureMeta => ({
  code,
  request_id: requestId,
  ...(meta.field !== undefined && { field: meta.field }),
  // Nothing that would be accepted is known: an empty list would say that nothing ever is.
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

export const toSuccess = (data: object, message: string) => ({ statusCode: 200, data, message, success: true, error: null });

export const toError = (failure: Failure, requestId: string) => ({
  statusCode: failure.status,
  success: false,
  message: failure.message,
  meta: toMeta(failure, requestId),
});

/** The same by RFC 9457, for who asks for it; the members of `meta` stand beside those of the standard. */
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

/** What any endpoint may answer, whatever was asked. */
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
