// Errors in the processor's form: { error: { type, code, message, param } }.
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type Stripe from 'stripe';

/** Without the SDK's `OtherString`, which lets any text pass. */
type Literal<Text> = Text extends string ? (string extends Text ? never : Text) : never;
/** The codes in the processor's own list (the SDK's types, made from https://docs.stripe.com/error-codes); a refusal that is not in the list has no code. */
export type ErrorCode = Literal<NonNullable<Stripe.PaymentIntent.LastPaymentError['code']>>;

export interface FaultBody {
  type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'card_error';
  code?: ErrorCode;
  message: string;
  param?: string;
  decline_code?: string;
  advice_code?: string;
  charge?: string;
  payment_intent?: object;
  setup_intent?: object;
  payment_method?: object;
}

export class Fault extends Error {
  readonly status: ContentfulStatusCode;
  readonly body: FaultBody;
  readonly headers: Record<string, string>;

  constructor(status: ContentfulStatusCode, body: FaultBody, headers: Record<string, string> = {}) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const invalid = (message: string, code?: ErrorCode, param?: string): Fault =>
  new Fault(400, { type: 'invalid_request_error', message, ...(code && { code }), ...(param && { param }) });

/** An unknown id: 404 in a path, 400 in a parameter. */
export const noSuch = (noun: string, id: string, param = 'id'): Fault =>
  new Fault(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${noun}: '${id}'`,
    param,
  });

export const noKey = (): Fault =>
  new Fault(401, {
    type: 'invalid_request_error',
    message: 'You did not provide an API key. Put it into the Authorization header: Authorization: Bearer YOUR_SECRET_KEY.',
  });

export const wrongKey = (key: string): Fault =>
  new Fault(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`,
  });

/** https://docs.stripe.com/api/versioning: the header names a version. The sandbox accepts only the version that the installed SDK pins. */
export const wrongVersion = (version: string): Fault =>
  new Fault(400, { type: 'invalid_request_error', message: `Invalid Stripe API version: ${version}` });

export const noSuchUrl = (method: string, path: string): Fault =>
  new Fault(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` });

export const otherBody = (key: string): Fault =>
  new Fault(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with (key '${key}').`,
  });

export const otherEndpoint = (key: string, path: string): Fault =>
  new Fault(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}', key '${key}').`,
  });

export const inFlight = (key: string): Fault =>
  new Fault(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotency-Key: ${key}. Try again in a moment.`,
  });

export const rateLimited = (): Fault =>
  new Fault(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded. Try again with a back-off.' });

/** `retry`: whether the client's library may retry with the same key; false when that would only return the same 500. */
export const outage = (retry: boolean): Fault =>
  new Fault(500, { type: 'api_error', message: 'An unknown error occurred.' }, { 'stripe-should-retry': String(retry) });

/** The bank's refusal, 402, with the objects concerned in their present state. */
export const cardRefused = (
  decline: { code: ErrorCode; declineCode?: string; advice?: string; message: string },
  about: Pick<FaultBody, 'charge' | 'payment_intent' | 'setup_intent' | 'payment_method'> = {},
): Fault =>
  new Fault(402, {
    type: 'card_error',
    code: decline.code,
    message: decline.message,
    ...(decline.declineCode && { decline_code: decline.declineCode }),
    ...(decline.advice && { advice_code: decline.advice }),
    ...about,
  });
