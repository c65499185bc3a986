/** One year; browsers ignore it over http. */
const HSTS = 'max-age=31536000';

/** Headers that every answer has unless it says otherwise itself. */
export const securityHeaders = (https: boolean): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  ...(https && { 'Strict-Transport-Security': HSTS }),
});

/** Pages carry the rest of their policy in a meta element, in which this directive has no effect. */
export const PAGE_POLICY = "frame-ancestors 'none'";
