// Finds where the body of an HTTP/1 message ends. Bodies are passed on with their framing unchanged.
import { fail } from '#platform/errors.ts';
import { type Field, type ResponseHead, valuesOf } from './http-head.ts';

export interface Body {
  /** How many of the bytes belong to this body. Throws `proxy_request_invalid` when the framing is broken. */
  take(bytes: Buffer): number;
  readonly done: boolean;
}

const bad = (reason: string) => fail('proxy_request_invalid', {}, reason);
const CR = 13;
const LF = 10;
/** Thirteen hexadecimal digits fit into a safe integer. */
const MAX_SIZE = 13;
const MAX_EXTENSION = 4_096;
const MAX_TRAILER = 16_384;

const nothing: Body = { take: () => 0, done: true };

class CountedBody implements Body {
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  take(bytes: Buffer): number {
    const count = Math.min(bytes.length, this.#left);
    this.#left -= count;
    return count;
  }

  get done(): boolean {
    return this.#left === 0;
  }
}

/** Until the connection ends. */
class OpenBody implements Body {
  readonly done = false;

  take(bytes: Buffer): number {
    return bytes.length;
  }
}

type Step =
  | 'size'
  | 'extension'
  | 'size-lf'
  | 'data'
  | 'data-cr'
  | 'data-lf'
  | 'trailer'
  | 'trailer-line'
  | 'trailer-lf'
  | 'end-lf'
  | 'done';

/** `strict`, for requests: neither extensions nor trailers are allowed, since two parsers may find different ends with them. */
class ChunkedBody implements Body {
  #step: Step = 'size';
  #digits = 0;
  #size = 0;
  #extra = 0;
  readonly #strict: boolean;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  get done(): boolean {
    return this.#step === 'done';
  }

  take(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && this.#step !== 'done') {
      if (this.#step === 'data') {
        const count = Math.min(this.#size, bytes.length - at);
        this.#size -= count;
        at += count;
        if (this.#size === 0) this.#step = 'data-cr';
      } else this.#step = this.#next(bytes[at++] as number);
    }
    return at;
  }

  #next(byte: number): Step {
    switch (this.#step) {
      case 'size': {
        const digit = hexDigit(byte);
        if (digit >= 0) {
          if (++this.#digits > MAX_SIZE) throw bad('A chunk of the body is too long.');
          this.#size = this.#size * 16 + digit;
          return 'size';
        }
        if (this.#digits === 0) throw bad('A chunk of the body has no size.');
        if (byte === CR) return 'size-lf';
        if (this.#strict || (byte !== 0x3b && byte !== 0x20 && byte !== 0x09)) throw bad('The size of a chunk of the body is not valid.');
        this.#extra = 0;
        return 'extension';
      }
      case 'extension':
        if (byte === CR) return 'size-lf';
        if (byte === LF || ++this.#extra > MAX_EXTENSION) throw bad('The size of a chunk of the body is not valid.');
        return 'extension';
      case 'size-lf':
        if (byte !== LF) throw bad('A line in the body does not end as it must.');
        this.#digits = 0;
        this.#extra = 0;
        return this.#size === 0 ? 'trailer' : 'data';
      case 'data-cr':
        if (byte !== CR) throw bad('A chunk of the body is longer than it said.');
        return 'data-lf';
      case 'data-lf':
        if (byte !== LF) throw bad('A chunk of the body is longer than it said.');
        return 'size';
      case 'trailer':
        if (byte === CR) return 'end-lf';
        if (this.#strict) throw bad('Trailers are not taken.');
        return 'trailer-line';
      case 'trailer-line':
        if (byte === CR) return 'trailer-lf';
        if (byte === LF || ++this.#extra > MAX_TRAILER) throw bad('A trailer is not valid.');
        return 'trailer-line';
      case 'trailer-lf':
        if (byte !== LF) throw bad('A trailer is not valid.');
        return 'trailer';
      case 'end-lf':
        if (byte !== LF) throw bad('The body does not end as it must.');
        return 'done';
      default:
        throw new Error(`no byte is read in ${this.#step}`);
    }
  }
}

const hexDigit = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

/** The value of Content-Length; undefined without one. Throws when there are several values, or one that is not a number. */
function contentLength(fields: readonly Field[]): number | undefined {
  const [value, ...more] = valuesOf(fields, 'content-length');
  if (value === undefined) return undefined;
  if (more.length > 0 || !/^\d{1,15}$/.test(value)) throw bad('Content-Length is not one number.');
  return Number(value);
}

/** Throws `proxy_request_invalid` for every ambiguity: both lengths, a coding other than chunked, chunked in HTTP/1.0. */
export function requestBody(fields: readonly Field[], version: '1.0' | '1.1'): Body {
  const codings = valuesOf(fields, 'transfer-encoding');
  const length = contentLength(fields);
  if (codings.length === 0) return length ? new CountedBody(length) : nothing;
  if (length !== undefined || codings.length > 1 || codings[0]?.toLowerCase() !== 'chunked' || version === '1.0')
    throw bad('The length of the body is ambiguous.');
  return new ChunkedBody(true);
}

/** Throws when the length of the answer is ambiguous. RFC 9112, 6.3. */
export function responseBody({ status, fields, version }: ResponseHead, method: string): Body {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return nothing;
  const codings = valuesOf(fields, 'transfer-encoding');
  const length = contentLength(fields);
  if (codings.length === 0) return length === undefined ? new OpenBody() : length === 0 ? nothing : new CountedBody(length);
  if (length !== undefined || codings.length > 1 || codings[0]?.toLowerCase() !== 'chunked' || version === '1.0')
    throw bad('The length of the answer is ambiguous.');
  return new ChunkedBody(false);
}

/** A body of any length, until the connection ends. */
export const openBody = (): Body => new OpenBody();

/** Whether only the end of the connection ends the body. */
export const endsWithConnection = (body: Body): boolean => body instanceof OpenBody;
