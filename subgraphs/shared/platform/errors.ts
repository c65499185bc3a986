// One closed catalogue of everything that may be said to a caller. What is not a Failure is a bug: logged once, answered as `internal` without detail.
import { isOutage } from './outage.ts';

interface Row {
  status: 400 | 401 | 402 | 403 | 404 | 405 | 407 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 502 | 503 | 504;
  message: string;
  retryable?: true;
}

/** code -> HTTP status, public sentence, whether the same request may succeed later. Sorted by code. */
export const CATALOGUE = {
  account_not_found: { status: 404, message: 'There is no such account.' },
  action_not_allowed: { status: 409, message: 'This action is not possible in the present state.' },
  address_not_allowed: { status: 403, message: 'This API key does not work from this address.' },
  api_not_allowed: { status: 403, message: 'This account is not allowed to use the API.' },
  backup_not_found: { status: 404, message: 'The server has no such backup.' },
  bandwidth_used_up: { status: 402, message: 'This package is used up: buy a new one.' },
  bank_transfer_too_small: { status: 400, message: 'A bank transfer is not possible for so small an amount.' },
  batch_not_found: { status: 404, message: 'The account has no such batch of lines.' },
  batch_outdated: { status: 409, message: 'These lines carry a password from before a reset: generate new ones.' },
  card_amount_too_small: { status: 400, message: 'So small an amount cannot be charged to a card.' },
  card_not_found: { status: 404, message: 'The account has no such saved card.' },
  challenge_invalid: { status: 401, message: 'This sign-in has taken too long, or was tried too often: begin again.' },
  chat_already_linked: { status: 409, message: 'This chat account belongs to another account here.' },
  chat_failed: { status: 400, message: 'The sign-in with the chat platform did not succeed: begin again.' },
  chat_not_available: { status: 404, message: 'Sign-in with a chat platform is not set up here.' },
  city_unknown: { status: 400, message: 'There is no such city in the given pool.' },
  client_not_allowed: { status: 403, message: 'This line does not work from your address: its owner named those that may use it.' },
  code_wrong: { status: 401, message: 'This code is wrong, or was used before.' },
  connections_exhausted: { status: 429, message: 'Too many connections are open at once.', retryable: true },
  console_ticket_invalid: { status: 403, message: 'This way into the console is not valid any more: open it again.' },
  content_type_refused: { status: 415, message: 'Send the request as application/json.' },
  credentials_wrong: { status: 401, message: 'The e-mail address or the password is wrong.' },
  crypto_not_available: { status: 409, message: 'Payment by cryptocurrency is not set up here.' },
  daily_limit_reached: { status: 429, message: 'The Daily Usage Limit of this plan is reached: it goes on at 00:00 UTC.', retryable: true },
  datacenter_silent: { status: 503, message: 'The datacenter does not answer at the moment.', retryable: true },
  edge_not_found: { status: 404, message: 'There is no such proxy node.' },
  edge_unknown: { status: 401, message: 'This proxy node is not enrolled.' },
  email_invalid: { status: 400, message: 'This is not an e-mail address.' },
  email_not_verified: { status: 403, message: 'Please confirm your e-mail address first: open the link that we sent you.' },
  enrolment_link_needed: { status: 403, message: 'The second factor of a member of support needs a link: ask another member of support.' },
  event_not_found: { status: 404, message: 'There is no such event that failed.' },
  exit_failed: { status: 502, message: 'The exit address could not open the connection.', retryable: true },
  exit_gone: { status: 503, message: 'The exit address of this session is gone: use another session number.' },
  exit_unavailable: { status: 503, message: 'There is no exit address for this place at the moment.', retryable: true },
  forbidden: { status: 403, message: 'You may not do this.' },
  hand_work_not_found: { status: 404, message: 'This does not wait for anybody any more.' },
  head_too_large: { status: 431, message: 'The head of the request is too large.' },
  hold_too_large: { status: 409, message: 'So much of this cannot be held for an order that is not paid.' },
  idempotency_conflict: { status: 422, message: 'This idempotency key was used with another request.' },
  idempotency_in_flight: { status: 409, message: 'A request with this idempotency key is still being worked on.', retryable: true },
  internal: { status: 500, message: 'Something went wrong on our side. It is safe to try again.', retryable: true },
  invoice_not_found: { status: 404, message: 'There is no such invoice.' },
  key_expired: { status: 401, message: 'This API key has expired.' },
  key_malformed: { status: 401, message: 'This is not an API key: check that it was copied whole.' },
  key_missing: { status: 401, message: 'An API key is required: send the header Authorization: Bearer <API_KEY>.' },
  key_not_active: { status: 409, message: 'This API key does not work any more.' },
  key_not_found: { status: 404, message: 'There is no such API key.' },
  key_revoked: { status: 401, message: 'This API key has been revoked.' },
  key_unknown: { status: 401, message: 'This API key is not known.' },
  last_way_in: { status: 409, message: 'This is the last way into the account: add another one first.' },
  limit_invalid: { status: 400, message: 'limit must be a whole number from 1 to 100.' },
  limit_not_available: { status: 409, message: 'A Daily Usage Limit is available for Premium plans only.' },
  limit_too_low: { status: 400, message: 'A Daily Usage Limit is at least 1 GB.' },
  list_not_found: { status: 404, message: 'This list was taken back, or never was: ask whoever gave you its address.' },
  machine_not_found: { status: 404, message: 'There is no such machine.' },
  mail_not_found: { status: 404, message: 'No such mail waits to be sent again.' },
  metering_unavailable: { status: 503, message: 'The traffic cannot be counted at the moment: please try again shortly.', retryable: true },
  method_not_allowed: { status: 405, message: 'This path does not take requests of this method.' },
  no_password: { status: 409, message: 'This account has no password yet.' },
  offer_expired: { status: 409, message: 'This offer has expired: ask for a new one.' },
  offer_invalid: { status: 400, message: 'This offer is not valid.' },
  offer_ordered: { status: 409, message: 'This offer has been ordered already.' },
  order_not_found: { status: 404, message: 'There is no such order.' },
  order_not_pending: { status: 409, message: 'This order is not waiting for its payment any more.' },
  origin_forbidden: { status: 403, message: 'Requests from this origin are not accepted.' },
  out_of_stock: { status: 409, message: 'There is not enough of this in stock at the moment.' },
  overloaded: { status: 503, message: 'The service is busy. Please try again shortly.', retryable: true },
  own_account_refused: { status: 403, message: 'Nobody does this for their own account: ask another member of support.' },
  page_invalid: { status: 400, message: 'page must be a whole number from 1 on.' },
  parameter_invalid: { status: 400, message: 'A parameter is not valid.' },
  parameter_missing: { status: 400, message: 'A required parameter is missing.' },
  parameter_repeated: { status: 400, message: 'A parameter was given more than once.' },
  passkey_invalid: { status: 401, message: 'This passkey was not accepted.' },
  passkey_not_found: { status: 404, message: 'There is no such passkey.' },
  password_exists: { status: 409, message: 'This account has a password already.' },
  password_unfit: { status: 400, message: 'A password has 8 to 128 characters and is not a commonly used one.' },
  payment_needs_confirmation: { status: 402, message: 'The bank wants this payment confirmed.' },
  payment_refused: { status: 402, message: 'The card was refused.' },
  plan_expired: { status: 404, message: 'This plan is used up: buy a new package.' },
  plan_not_found: { status: 404, message: 'The account has no such plan.' },
  pool_unknown: { status: 400, message: 'pool must be a country name, an ISO 3166 code, Worldwide or Europe.' },
  product_type_unknown: { status: 400, message: 'The product type must be isp or dc.' },
  proxy_credentials_wrong: { status: 407, message: 'The proxy username or password is wrong.' },
  proxy_loop: { status: 403, message: 'The target is this proxy itself.' },
  proxy_password_replaced: { status: 407, message: 'This proxy password is of before a reset: use the lines with the new one.' },
  proxy_request_invalid: { status: 400, message: 'This is not a request that a proxy can take.' },
  proxy_username_invalid: { status: 400, message: 'The proxy username has a part that is not known.' },
  quantity_invalid: { status: 400, message: 'The quantity is out of range.' },
  query_refused: { status: 400, message: 'This GraphQL request is not accepted.' },
  rate_limited: { status: 429, message: 'Too many requests: wait for the time that RateLimit-Reset gives.', retryable: true },
  replacement_expired: { status: 409, message: 'What was prepared is not held any more: prepare it again.' },
  replacements_used_up: { status: 409, message: 'The exchanges of this month are used up.' },
  request_not_found: { status: 404, message: 'There is no such open request.' },
  request_too_large: { status: 413, message: 'The request is too large.' },
  reverse_names_not_available: { status: 409, message: 'Addresses cannot be given names here.' },
  route_not_found: { status: 404, message: 'There is nothing at this path.' },
  server_not_found: { status: 404, message: 'The account has no such server.' },
  servers_not_sold: { status: 503, message: 'Servers cannot be bought at the moment.' },
  session_invalid: { status: 401, message: 'You are not signed in.' },
  session_not_found: { status: 404, message: 'There is no such session.' },
  sign_in_again: { status: 403, message: 'Please sign in again to do this.' },
  sign_up_not_found: { status: 404, message: 'No sign-up waits under this address.' },
  signature_invalid: { status: 400, message: 'The signature does not match.' },
  staff_limit_reached: { status: 403, message: 'This is more than one member of support gives in a day: ask a second person for it.' },
  state_unknown: { status: 400, message: 'There is no such state in the given pool.' },
  static_plan_suspended: { status: 402, message: 'The plan of this line is suspended until its renewal is paid.' },
  subscription_not_found: { status: 404, message: 'There is no such subscription.' },
  target_address_forbidden: { status: 403, message: 'The target address is not on the public internet.' },
  target_name_unknown: { status: 502, message: 'The host name of the target cannot be resolved.' },
  target_port_forbidden: { status: 403, message: 'Connections to this port are not allowed.' },
  target_refused: { status: 502, message: 'The target refused the connection.', retryable: true },
  target_response_invalid: { status: 502, message: 'The target did not answer as an HTTP server.' },
  target_timeout: { status: 504, message: 'The target did not answer in time.', retryable: true },
  targeting_needs_country: { status: 400, message: 'state and city need a pool that is a single country.' },
  time_not_allowed: { status: 400, message: 'time is not in the list of this product.' },
  token_invalid: { status: 400, message: 'This link is not valid any more: ask for a new one.' },
  too_many_attempts: { status: 429, message: 'Too many attempts: please wait a little.', retryable: true },
  too_many_unpaid_orders: { status: 409, message: 'Too many of your orders wait for their payment: pay or cancel one of them first.' },
  totp_exists: { status: 409, message: 'An authenticator app is set up already.' },
  totp_missing: { status: 409, message: 'No authenticator app is set up.' },
  unsigned_request: { status: 401, message: 'Requests come through the gateway.' },
  vendor_unavailable: { status: 503, message: 'A service that this needs does not answer: please try again shortly.', retryable: true },
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof CATALOGUE;

/** What may be said beside the code; every member is public. */
export interface ErrorMeta {
  field?: string;
  allowed?: readonly (string | number)[];
  retry_after_seconds?: number;
  reason?: string;
  /** The caller's own order that stands where another was to be made. */
  order_id?: string;
}

/** The statement to a caller that its request failed: a code of the catalogue, its sentence, and details that help. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly meta: ErrorMeta;

  constructor(code: ErrorCode, meta: ErrorMeta = {}, message?: string) {
    super(message ?? meta.reason ?? CATALOGUE[code].message);
    this.name = 'Failure';
    this.code = code;
    this.meta = meta;
  }

  get status(): number {
    return CATALOGUE[this.code].status;
  }

  get retryable(): boolean {
    return 'retryable' in CATALOGUE[this.code];
  }
}

/** `throw fail('plan_expired', meta)`. `message` replaces the catalogue's sentence where a more exact one helps. */
export const fail = (code: ErrorCode, meta: ErrorMeta = {}, message?: string): Failure => new Failure(code, meta, message);

export const isErrorCode = (value: unknown): value is ErrorCode => typeof value === 'string' && Object.hasOwn(CATALOGUE, value);

/** A Failure as it is; a part that is away as `overloaded`; anything else as `internal`, of which the caller logs the original. */
export const toFailure = (error: unknown): Failure =>
  error instanceof Failure ? error : isOutage(error) ? fail('overloaded', { retry_after_seconds: 1 }) : fail('internal');

/** The public form of a failure in GraphQL `extensions`. */
export const toExtensions = (failure: Failure, requestId: string): Record<string, unknown> => ({
  code: failure.code,
  requestId,
  retryable: failure.retryable,
  ...(failure.meta.field !== undefined && { field: failure.meta.field }),
  ...(failure.meta.allowed !== undefined && { allowed: failure.meta.allowed }),
  ...(failure.meta.retry_after_seconds !== undefined && { retryAfterSeconds: failure.meta.retry_after_seconds }),
  ...(failure.meta.order_id !== undefined && { orderId: failure.meta.order_id }),
});

/** A Failure again from GraphQL `extensions`; undefined when the code is not of the catalogue. */
export function fromExtensions(message: string, extensions: Record<string, unknown> | undefined): Failure | undefined {
  const code = extensions?.['code'];
  if (!isErrorCode(code)) return undefined;
  const { field, allowed, retryAfterSeconds, orderId } = extensions as {
    field?: string;
    allowed?: string[];
    retryAfterSeconds?: number;
    orderId?: string;
  };
  return fail(
    code,
    {
      ...(field !== undefined && { field }),
      ...(allowed !== undefined && { allowed }),
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
      ...(orderId !== undefined && { order_id: orderId }),
    },
    message,
  );
}
