// The client's side of the handshake with a proxy: HTTP CONNECT and SOCKS5, with or without credentials.
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How a proxy has refused: by an answer of HTTP, a reply of SOCKS5 (RFC 1928, section 6), the log-in of SOCKS5, or by what is no answer at all. */
export type GreetingRefusal = { status: number; head: string } | { reply: number } | { login: string } | { broken: string };

/** The next step after the bytes that the proxy has sent so far; undefined: wait for more. `used` bytes are consumed. */
export type GreetingStep = { done: true; used: number } | { send: Buffer; used: number } | { refusal: GreetingRefusal } | undefined;

export interface Greeting {
  hello: Buffer;
  read(collected: Buffer): GreetingStep;
}

export interface ProxyCredentials {
  username?: string | undefined;
  password?: string | undefined;
}

/** `address` is a name where the proxy is to resolve it. */
export interface GreetingTarget {
  address: string;
  port: number;
}

const MAX_HEAD = 16_384;

export function httpGreeting({ username, password }: ProxyCredentials, { address, port }: GreetingTarget): Greeting {
  const authority = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
  const login =
    username === undefined ? '' : `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}\r\n`;
  return {
    hello: Buffer.from(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${login}\r\n`),
    read(collected) {
      const end = collected.indexOf('\r\n\r\n');
      if (end < 0) return collected.length > MAX_HEAD ? { refusal: { broken: 'a head without an end' } } : undefined;
      const head = collected.toString('latin1', 0, end);
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
      if (status === 0) return { refusal: { broken: 'no answer of HTTP' } };
      return status >= 200 && status < 300 ? { done: true, used: end + 4 } : { refusal: { status, head } };
    },
  };
}

/** RFC 1928, section 4: an address, or a name of up to 255 bytes. */
function socksAddress(address: string): Buffer {
  if (isIP(address) === 0) return Buffer.concat([Buffer.from([3, Buffer.byteLength(address)]), Buffer.from(address)]);
  return Buffer.concat([Buffer.from([isIPv4(address) ? 1 : 4]), Buffer.from(ipaddr.parse(address).toByteArray())]);
}

export function socks5Greeting({ username, password = '' }: ProxyCredentials, { address, port }: GreetingTarget): Greeting {
  const request = Buffer.concat([Buffer.from([5, 1, 0]), socksAddress(address), Buffer.from([port >> 8, port & 255])]);
  let stage: 'method' | 'login' | 'reply' = 'method';
  return {
    hello: Buffer.from(username === undefined ? [5, 1, 0] : [5, 1, 2]),
    read(collected) {
      if (stage === 'method') {
        if (collected.length < 2) return undefined;
        const method = collected[1];
        if (collected[0] !== 5) return { refusal: { broken: 'no answer of SOCKS5' } };
        if (method !== (username === undefined ? 0 : 2)) return { refusal: { login: 'SOCKS5: another way to log in is wanted' } };
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
        if (collected[1] !== 0) return { refusal: { login: 'SOCKS5: the log-in is refused' } };
        stage = 'reply';
        return { send: request, used: 2 };
      }
      if (collected.length < 5) return undefined;
      if (collected[0] !== 5) return { refusal: { broken: 'no answer of SOCKS5' } };
      const reply = collected[1] as number;
      if (reply !== 0) return { refusal: { reply } };
      const length = { 1: 10, 4: 22, 3: 7 + (collected[4] as number) }[collected[3] as number];
      if (length === undefined) return { refusal: { broken: 'SOCKS5: an address of no kind' } };
      return collected.length < length ? undefined : { done: true, used: length };
    },
  };
}
