// Parses a proxy line in any of the forms that tools write.
import type { LineProtocol } from './line-protocol.ts';

export interface ProxyLine {
  /** Null: the line does not name a scheme. */
  scheme: 'http' | 'https' | 'socks5' | null;
  host: string;
  port: number;
  username: string;
  password: string;
}

/** The protocol that a line names by its scheme. */
export const PROTOCOL_OF_SCHEME = { http: 'HTTP', https: 'HTTPS', socks5: 'SOCKS5' } as const satisfies Record<string, LineProtocol>;

const MAX_LENGTH = 1_000;
const SCHEME = /^(https?|socks5h?):\/\//i;
const isPort = (text: string | undefined): text is string =>
  text !== undefined && /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
const isHost = (text: string | undefined): text is string =>
  text !== undefined && /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])$/i.test(text);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Splits `a:b` at the last colon that is not inside brackets. */
function pair(text: string): [string, string] | undefined {
  const at = text.lastIndexOf(':');
  return at > 0 && !text.endsWith(']') ? [text.slice(0, at), text.slice(at + 1)] : undefined;
}

/**
 * Takes host:port:user:pass and user:pass:host:port (also with spaces, commas, semicolons or bars between), user:pass@host:port and
 * host:port@user:pass, each with http://, https://, socks5:// or socks5h:// before it. Undefined for anything else.
 */
export function readProxyLine(typed: string): ProxyLine | undefined {
  const line = typed.trim();
  if (line === '' || line.length > MAX_LENGTH) return undefined;
  const word = SCHEME.exec(line)?.[1]?.toLowerCase();
  const scheme = word === undefined ? null : word.startsWith('socks5') ? 'socks5' : (word as 'http' | 'https');
  const rest = line.replace(SCHEME, '').replace(/\/$/, '');
  const of = (
    host: string | undefined,
    port: string | undefined,
    username: string | undefined,
    password: string | undefined,
  ): ProxyLine | undefined =>
    isHost(host) && isPort(port) && username && password
      ? { scheme, host: host.toLowerCase(), port: Number(port), username, password }
      : undefined;

  if (rest.includes('://')) return undefined;
  const at = rest.lastIndexOf('@');
  if (at > 0) {
    const [left, right] = [pair(rest.slice(0, at)), pair(rest.slice(at + 1))];
    if (!left || !right) return undefined;
    // The side that ends in a port is the address. When both could be, it is the right one, as most tools write it.
    return isPort(right[1]) ? of(...right, decoded(left[0]), decoded(left[1])) : of(...left, right[0], right[1]);
  }
  const parts = rest.split(/[\s,;|]+/).flatMap((each) => each.match(/\[[^\]]*\]|[^:]+/g) ?? []);
  if (parts.length !== 4) return undefined;
  const [a, b, c, d] = parts;
  return isPort(b) ? of(a, b, c, d) : of(c, d, a, b);
}
