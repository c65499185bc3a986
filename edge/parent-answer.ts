// What a parent proxy's refusal means, and whose matter it is.
import { MINUTE, SECOND } from '#platform/clock.ts';
import { type Failure, fail } from '#platform/errors.ts';

/**
 * - `target`: it could not be reached, whoever asks.
 * - `policy`: the parent lets nobody to this target.
 * - `busy`: too much at once; patience.
 * - `account`: it refuses our log-in or wants money: only the operator can mend it.
 * - `place`: it has nothing in this place now, or does not know the place.
 * - `exit`: it broke on the way to this target.
 * - `unreachable`: it could not even be asked.
 */
export const DIAL_TROUBLES = ['target', 'policy', 'busy', 'account', 'place', 'exit', 'unreachable'] as const;
export type DialTrouble = (typeof DIAL_TROUBLES)[number];

export interface ParentRefusal {
  failure: Failure;
  trouble: DialTrouble;
  retryAfterMs?: number | undefined;
  /** For the operator: the parent's own words. */
  detail: string;
}

const FAILURES: Record<DialTrouble, Failure> = {
  target: fail('target_refused'),
  policy: fail('target_blocked'),
  busy: fail('exit_unavailable'),
  account: fail('exit_failed'),
  place: fail('exit_unavailable'),
  exit: fail('exit_failed'),
  unreachable: fail('exit_failed'),
};

export const refusalOf = (trouble: DialTrouble, detail: string): ParentRefusal => ({ failure: FAILURES[trouble], trouble, detail });

/** A parent that broke off or spoke nonsense. */
export const broken = (detail: string): ParentRefusal => refusalOf('exit', detail);

/**
 * RFC 9110, and what sellers document: 407 wrong credentials, 402 nothing left to spend, 403 and 451 a target that they forbid, 429 too much at once,
 * 400 a place they do not know, 503 and 525 no exit in that place (Oxylabs, "Response codes"), 522 and 504 a target that does not answer.
 */
const BY_STATUS: Partial<Record<number, DialTrouble>> = {
  400: 'place',
  401: 'account',
  402: 'account',
  403: 'policy',
  407: 'account',
  429: 'busy',
  451: 'policy',
  502: 'target',
  503: 'place',
  504: 'target',
  522: 'target',
  525: 'place',
};
/** 502 says that the target failed, or that there is no exit for it: Bright Data's error catalogue words the second so. */
const NO_EXIT = /no[_ -]?peer|no[_ -]?exit|no[_ -]?prox/i;
const MAX_PATIENCE_MS = 5 * MINUTE;

/** `head`: status line and header fields. `meanings`: what this parent means otherwise, by status. */
export function httpRefusal(status: number, head: string, meanings: Readonly<Record<string, DialTrouble>> = {}): ParentRefusal {
  const detail = head.slice(0, 200).split('\r\n')[0] ?? '';
  if (status === 0) return broken('no answer of HTTP');
  const named = meanings[String(status)];
  const trouble = named ?? (status === 502 && NO_EXIT.test(head) ? 'place' : (BY_STATUS[status] ?? 'exit'));
  if (trouble === 'target' && (status === 504 || status === 522)) return { failure: fail('target_timeout'), trouble, detail };
  if (trouble !== 'busy') return refusalOf(trouble, detail);
  const seconds = Number(/^retry-after:\s*(\d{1,6})\s*$/im.exec(head)?.[1] ?? 1);
  return { ...refusalOf(trouble, detail), retryAfterMs: Math.min(MAX_PATIENCE_MS, Math.max(1, seconds) * SECOND) };
}

/** RFC 1928, section 6. */
export function socksRefusal(reply: number): ParentRefusal {
  const detail = `SOCKS5 reply ${reply}`;
  if (reply === 2) return refusalOf('policy', detail);
  if (reply === 5) return refusalOf('target', detail);
  if (reply === 3 || reply === 4 || reply === 6) return { failure: fail('target_timeout'), trouble: 'target', detail };
  return refusalOf('exit', detail);
}
