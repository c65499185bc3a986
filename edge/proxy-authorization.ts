// The log-in in the heads of a customer's requests. RFC 7617.
import { fail } from '#platform/errors.ts';
import type { Credentials } from './admission.ts';
import type { RequestHead } from './http-head.ts';

const BASIC = /^basic +([a-z0-9+/]+={0,2})$/i;

/** Of one connection, whose requests mostly log in alike: what is the same need not be read again. */
export class ProxyAuthorization {
  #value: string | undefined;
  #credentials: Credentials | undefined;

  /** Undefined without credentials or with another scheme. The same object for the same text. Throws `proxy_request_invalid` when there are several. */
  read({ fields }: RequestHead): Credentials | undefined {
    let value: string | undefined;
    for (const [, text, known] of fields) {
      if (known !== 'proxy-authorization') continue;
      if (value !== undefined) throw fail('proxy_request_invalid', {}, 'Proxy-Authorization was given more than once.');
      value = text;
    }
    if (value !== this.#value) {
      this.#value = value;
      this.#credentials = credentialsIn(value ?? '');
    }
    return this.#credentials;
  }
}

function credentialsIn(value: string): Credentials | undefined {
  const match = BASIC.exec(value);
  if (!match) return undefined;
  const text = Buffer.from(match[1] as string, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
