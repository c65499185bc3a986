// How each failure is answered: HTTP status and text come from the error catalogue, the error type of RFC 9209 and the nearest reply of RFC 1928 from here.
import { STATUS_CODES } from 'node:http';
import { type ErrorCode, type Failure, fail } from '#platform/errors.ts';
import { ERRORS } from '../schema/codes/catalogue.ts';

/** RFC 1928, section 6. */
export const REPLY = {
  succeeded: 0,
  failed: 1,
  notAllowed: 2,
  networkUnreachable: 3,
  hostUnreachable: 4,
  refused: 5,
  expired: 6,
  commandUnknown: 7,
  addressTypeUnknown: 8,
} as const;

interface Row {
  /** RFC 9209, section 2.3. */
  error: string;
  reply: number;
}

const ROWS: Partial<Record<ErrorCode, Row>> = {
  account_suspended: { error: 'http_request_denied', reply: REPLY.notAllowed },
  bandwidth_used_up: { error: 'http_request_denied', reply: REPLY.notAllowed },
  client_not_allowed: { error: 'http_request_denied', reply: REPLY.notAllowed },
  connections_exhausted: { error: 'connection_limit_reached', reply: REPLY.failed },
  daily_limit_reached: { error: 'http_request_denied', reply: REPLY.notAllowed },
  exit_failed: { error: 'connection_terminated', reply: REPLY.failed },
  exit_gone: { error: 'destination_unavailable', reply: REPLY.networkUnreachable },
  exit_unavailable: { error: 'destination_unavailable', reply: REPLY.networkUnreachable },
  head_too_large: { error: 'http_request_error', reply: REPLY.failed },
  metering_unavailable: { error: 'proxy_internal_error', reply: REPLY.failed },
  proxy_credentials_required: { error: 'http_request_denied', reply: REPLY.notAllowed },
  proxy_credentials_wrong: { error: 'http_request_denied', reply: REPLY.notAllowed },
  proxy_loop: { error: 'proxy_loop_detected', reply: REPLY.notAllowed },
  proxy_password_replaced: { error: 'http_request_denied', reply: REPLY.notAllowed },
  proxy_place_not_allowed: { error: 'http_request_denied', reply: REPLY.notAllowed },
  proxy_request_invalid: { error: 'http_request_error', reply: REPLY.failed },
  proxy_rules_changed: { error: 'http_request_denied', reply: REPLY.notAllowed },
  proxy_target_not_allowed: { error: 'http_request_denied', reply: REPLY.notAllowed },
  proxy_user_limit_reached: { error: 'http_request_denied', reply: REPLY.notAllowed },
  proxy_user_paused: { error: 'http_request_denied', reply: REPLY.notAllowed },
  proxy_user_used_up: { error: 'http_request_denied', reply: REPLY.notAllowed },
  proxy_username_invalid: { error: 'http_request_error', reply: REPLY.failed },
  static_plan_suspended: { error: 'http_request_denied', reply: REPLY.notAllowed },
  target_address_forbidden: { error: 'destination_ip_prohibited', reply: REPLY.notAllowed },
  target_listed: { error: 'http_request_denied', reply: REPLY.notAllowed },
  target_name_unknown: { error: 'dns_error', reply: REPLY.hostUnreachable },
  target_port_forbidden: { error: 'http_request_denied', reply: REPLY.notAllowed },
  target_refused: { error: 'connection_refused', reply: REPLY.refused },
  target_response_invalid: { error: 'http_protocol_error', reply: REPLY.failed },
  target_timeout: { error: 'connection_timeout', reply: REPLY.expired },
  too_many_attempts: { error: 'http_request_denied', reply: REPLY.notAllowed },
};
const OTHERWISE: Row = { error: 'proxy_internal_error', reply: REPLY.failed };

export const replyOf = (failure: Failure): number => (ROWS[failure.code] ?? OTHERWISE).reply;

const RETRY_SECONDS: Partial<Record<ErrorCode, number>> = { metering_unavailable: 1, exit_unavailable: 5 };

/** A complete HTTP/1.1 answer that closes the connection. `bare`: without a body, for HEAD. */
export function refusalText(failure: Failure, bare = false): string {
  const { code, message, status, meta } = failure;
  const { error } = ROWS[code] ?? OTHERWISE;
  const retryAfter = meta.retry_after_seconds ?? RETRY_SECONDS[code];
  const body = `${message}\n`;
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    ...(status === 407 ? ['Proxy-Authenticate: Basic realm="proxy", charset="UTF-8"'] : []),
    `Proxy-Status: edge; error=${error}; details="${code}"`,
    `X-Proxy-Error: ${code}`,
    ...(retryAfter !== undefined ? [`Retry-After: ${retryAfter}`] : []),
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    bare ? '' : body,
  ].join('\r\n');
}

/** Converts the system's error code of a failed connection to a target. */
export function toDialFailure(code: string | undefined): Failure {
  switch (code) {
    case 'ECONNREFUSED':
      return fail('target_refused');
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return fail('target_timeout', {}, code === 'ETIMEDOUT' ? ERRORS.target_timeout.message : 'The target cannot be reached.');
    default:
      return fail('exit_failed');
  }
}
