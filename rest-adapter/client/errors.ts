// What a call can fail with: a refusal of the API, or no answer of it.
import type { ErrorCode, ErrorMeta } from './words/error-codes.ts';

/** The API has answered that it does not do this. `message` is its sentence, in English. */
export class EgressRefusal extends Error {
  override readonly name = 'EgressRefusal';
  /** HTTP status: 400 to 599. */
  readonly status: number;
  /** One of a closed list that only grows, so that a program may meet one that it does not know. */
  readonly code: ErrorCode | (string & Record<never, never>);
  /** All that the API says about it: the wrong field, accepted values, further faults, the page about the code. */
  readonly meta: ErrorMeta;

  constructor(status: number, message: string, meta: ErrorMeta) {
    super(message);
    this.status = status;
    this.code = meta.code;
    this.meta = meta;
  }

  /** By which support finds the request. */
  get requestId(): string {
    return this.meta.request_id;
  }
}

/** No answer of the API: no connection, a time that has run out, or an answer of something else on the way. */
export class EgressUnreachable extends Error {
  override readonly name = 'EgressUnreachable';
}
