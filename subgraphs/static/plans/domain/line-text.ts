// A line as text, for each protocol. HTTP stands for what every port of an address takes, SOCKS5 too; HTTPS, an HTTP proxy that customers speak
// TLS to, has a port of its own.
import { because, fail } from '#platform/errors.ts';

export const STATIC_PROTOCOLS = ['HTTP', 'HTTPS'] as const;
export type StaticProtocol = (typeof STATIC_PROTOCOLS)[number];

export interface SecureLines {
  port: number;
  /** With `{address}` for the address with dashes; undefined: the address itself, which the certificate has to name. */
  host?: string | undefined;
}

/** HOST:PORT where customers speak TLS to the proxy. */
export const secureSocket = ({ host, port }: SecureLines, ip: string): string =>
  `${host?.replaceAll('{address}', ip.replaceAll(/[.:]/g, '-')) ?? ip}:${port}`;

/** How "IP:PORT" is written: as it is, or where TLS is spoken. Error: parameter_invalid, where that is not offered. */
export function socketsFor(protocol: StaticProtocol, secure: SecureLines | undefined): (socket: string) => string {
  if (protocol !== 'HTTPS') return (socket) => socket;
  if (!secure)
    throw fail('parameter_invalid', { field: 'protocol', allowed: ['http'], reason: because('protocol_not_offered', { protocol }) });
  return (socket) => secureSocket(secure, socket.slice(0, socket.lastIndexOf(':')));
}
