/** What clients speak to the proxy of a line. HTTPS: an HTTP proxy that customers speak TLS to. */
export const LINE_PROTOCOLS = ['HTTP', 'SOCKS5', 'HTTPS'] as const;
export type LineProtocol = (typeof LINE_PROTOCOLS)[number];
