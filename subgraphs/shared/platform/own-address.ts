// The URLs of a server that listens on a host.

/** An IPv6 address in a URL needs brackets. */
export const httpUrl = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Wildcard addresses, each with the loopback address that reaches the same listener. */
const EVERY: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The URL at which this machine reaches a listener on `host`: the public URL may lead through a proxy, or may not work yet. */
export const ownUrl = (host: string, port: number): string => httpUrl(EVERY[host] ?? host, port);

/** The URL at which browsers reach a listener on `host` by default. */
export const publicUrlOf = (host: string, port: number): string => httpUrl(isLoopback(host) || host in EVERY ? 'localhost' : host, port);

/** Whether only this machine reaches a listener on `host`. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
