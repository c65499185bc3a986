// The client's side of a proxy handshake, for exits that are parent proxies: HTTP CONNECT and SOCKS5 with or without credentials.
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Failure, fail } from '#platform/errors.ts';
import type { Endpoint } from './target-guard.ts';

/** What to do with the bytes a parent has sent so far; undefined: wait for more. `used` bytes are consumed. */
export type GreetingStep =
  | { done: true; used: number }
  | { send: Buffer; used: number }
  | { failure: Failure; exitFault: boolean }
  | undefined;

export interface Greeting {
  hello: Buffer;
  read(collected: Buffer): GreetingStep;
}

interface Credentials {
  username?: string | undefined;
  password?: string | undefined;
}

const MAX_HEAD = 16_384;
const exitFailed: GreetingStep = { failure: fail('exit_failed'), exitFault: true };

export function httpParentGreeting({ username, password }: Credentials, { address, port }: Endpoint): Greeting {
  const authority = isIPv4(address) ? `${address}:${port}` : `[${address}]:${port}`;
  const login =
    username === undefined ? '' : `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}\r\n`;
  return {
    hello: Buffer.from(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`),
    read(collected) {
      const end = collected.indexOf('\r\n\r\n');
      if (end < 0) return collected.length > MAX_HEAD ? exitFailed : undefined;
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(collected.toString('latin1', 0, 12))?.[1] ?? 0);
      if (status >= 200 && status < 300) return { done: true, used: end + 4 };
      // The parent speaks of the target with these, of itself with all others.
      if (status === 502) return { failure: fail('target_refused'), exitFault: false };
      if (status === 504) return { failure: fail('target_timeout'), exitFault: false };
      return exitFailed;
    },
  };
}

/** RFC 1928 replies that speak of the target. */
const TARGET_REPLIES: Record<number, Failure> = {
  3: fail('target_timeout'),
  4: fail('target_timeout'),
  5: fail('target_refused'),
  6: fail('target_timeout'),
};

export function socks5ParentGreeting({ username, password = '' }: Credentials, { address, port }: Endpoint): Greeting {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const request = Buffer.concat([Buffer.from([5, 1, 0, isIPv4(address) ? 1 : 4]), bytes, Buffer.from([port >> 8, port & 255])]);
  let stage: 'method' | 'login' | 'reply' = 'method';
  return {
    hello: Buffer.from(username === undefined ? [5, 1, 0] : [5, 1, 2]),
    read(collected) {
      if (stage === 'method') {
        if (collected.length < 2) return undefined;
        const method = collected[1];
        if (collected[0] !== 5 || method !== (username === undefined ? 0 : 2)) return exitFailed;
        if (username === undefined) {
          stage = 'reply';
          return { send: request, used: 2 };
        }
        stage = 'login';
        const [name, secret] = [Buffer.from(username), Buffer.from(password)];
        return { send: Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([secret.length]), secret]), used: 2 };
      }
      if (stage === 'login') {
        if (collected.length < 2) return undefined;
        if (collected[1] !== 0) return exitFailed;
        stage = 'reply';
        return { send: request, used: 2 };
      }
      if (collected.length < 5) return undefined;
      const reply = collected[1] as number;
      if (collected[0] !== 5) return exitFailed;
      if (reply !== 0) return TARGET_REPLIES[reply] ? { failure: TARGET_REPLIES[reply], exitFault: false } : exitFailed;
      const length = { 1: 10, 4: 22, 3: 7 + (collected[4] as number) }[collected[3] as number];
      if (length === undefined) return exitFailed;
      return collected.length < length ? undefined : { done: true, used: length };
    },
  };
}
