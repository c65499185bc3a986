// How a server that listens on a host is reached.

/** In a URL an IPv6 address stands in brackets. */
export const httpUrl = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Addresses that stand for every address of the machine, with the one through which the machine reaches itself. */
const EVERY: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where this machine itself reaches a listener on `host`: the public address may lead through a proxy, or nowhere yet. */
export const ownUrl = (host: string, port: number): string => httpUrl(EVERY[host] ?? host, port);

/** How browsers reach a listener on `host` when nobody says otherwise. */
export const publicUrlOf = (host: string, port: number): string => httpUrl(isLoopback(host) || host in EVERY ? 'localhost' : host, port);

/** Whether only this machine reaches a listener on `host`. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
