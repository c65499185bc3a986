import type { ServerResponse } from 'node:http';

const EVERYWHERE: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['X-Frame-Options', 'DENY'],
];

/** One year; browsers ignore it over http. */
const HSTS = 'max-age=31536000';

export function setSecurityHeaders(response: ServerResponse, https: boolean): void {
  for (const [name, value] of EVERYWHERE) response.setHeader(name, value);
  if (https) response.setHeader('Strict-Transport-Security', HSTS);
}

/** Pages carry the rest of their policy in a meta element, in which this directive has no effect. */
export const PAGE_POLICY = "frame-ancestors 'none'";
