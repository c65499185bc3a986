// What the answer of a push service means. Sources: RFC 8030, 5 and 7; https://github.com/mozilla-services/autopush-rs, docs/src/errors.md.

/**
 * TAKEN: it delivers the message. GONE: the subscription is over. LATER: the same message may be taken later. SHORTER: a shorter one may be taken. REFUSED: never,
 * and so will be the next ones: something is wrong with the platform, or with the address.
 */
export type PushVerdict = 'TAKEN' | 'GONE' | 'LATER' | 'SHORTER' | 'REFUSED';

const VERDICTS: Readonly<Record<number, PushVerdict>> = { 404: 'GONE', 410: 'GONE', 408: 'LATER', 413: 'SHORTER', 429: 'LATER' };

/** `status` null: there was no answer. `forbidden`: the address leads where nothing is sent to. */
export function verdictOf(status: number | null, forbidden: boolean): PushVerdict {
  if (forbidden) return 'REFUSED';
  if (status === null || status >= 500) return 'LATER';
  if (status >= 200 && status < 300) return 'TAKEN';
  return VERDICTS[status] ?? 'REFUSED';
}

/** It does not know us as the sender: the key pair is another one than the browser subscribed to, or this machine's clock is wrong. An operator's matter. */
export const isSenderRefused = (status: number | null): boolean => status === 401 || status === 403;
