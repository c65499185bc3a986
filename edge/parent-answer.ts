// Interprets a parent proxy's refusal, and whose fault it is.
import { MINUTE, SECOND, systemClock } from '#platform/clock.ts';
import { type Failure, fail } from '#platform/errors.ts';
import { retryAfterMs } from '#platform/retry-after.ts';
import type { GreetingRefusal } from './protocol/proxy-greeting.ts';

/**
 * - `target`: the target cannot be reached through any exit.
 * - `policy`: the parent forbids this target.
 * - `busy`: too many requests; wait.
 * - `account`: it refuses our log-in or wants payment; only the operator can mend that.
 * - `place`: it has no exit in this place now, or does not know the place.
 * - `exit`: the connection to this target failed within the parent.
 * - `unreachable`: the parent itself cannot be reached.
 */
export const DIAL_TROUBLES = ['target', 'policy', 'busy', 'account', 'place', 'exit', 'unreachable'] as const;
export type DialTrouble = (typeof DIAL_TROUBLES)[number];

export interface ParentRefusal {
  failure: Failure;
  trouble: DialTrouble;
  retryAfterMs?: number | undefined;
  /** For the operator: the parent's own text. */
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

/** The parent closed the connection or sent something invalid. */
export const broken = (detail: string): ParentRefusal => refusalOf('exit', detail);

/**
 * RFC 9110, and the documentation of sellers: 407 wrong credentials, 402 no credit left, 403 and 451 a forbidden target, 429 too many requests,
 * 400 an unknown place, 503 and 525 no exit in that place (Oxylabs, "Response codes"), 522 and 504 a target that does not answer.
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
/** 502 means that the target failed, or that there is no exit for it: Bright Data's error catalogue uses these words for the latter. */
const NO_EXIT = /no[_ -]?peer|no[_ -]?exit|no[_ -]?prox/i;
const MAX_PATIENCE_MS = 5 * MINUTE;

/** `meanings`: this parent's own meanings of HTTP statuses, where they are not those of BY_STATUS. */
export function parentRefusal(
  refusal: GreetingRefusal,
  meanings?: Readonly<Record<string, DialTrouble>>,
  now = systemClock.now(),
): ParentRefusal {
  if ('status' in refusal) return httpRefusal(refusal, meanings ?? {}, now);
  if ('reply' in refusal) return socksRefusal(refusal.reply);
  return 'login' in refusal ? refusalOf('account', refusal.login) : broken(refusal.broken);
}

/** `head`: status line and header fields. */
function httpRefusal(
  { status, head }: { status: number; head: string },
  meanings: Readonly<Record<string, DialTrouble>>,
  now: Date,
): ParentRefusal {
  const detail = head.slice(0, 200).split('\r\n')[0] ?? '';
  const named = meanings[String(status)];
  const trouble = named ?? (status === 502 && NO_EXIT.test(head) ? 'place' : (BY_STATUS[status] ?? 'exit'));
  if (trouble === 'target' && (status === 504 || status === 522)) return { failure: fail('target_timeout'), trouble, detail };
  if (trouble !== 'busy') return refusalOf(trouble, detail);
  const wait = retryAfterMs(/^retry-after:([^\r\n]*)/im.exec(head)?.[1], now) ?? SECOND;
  return { ...refusalOf(trouble, detail), retryAfterMs: Math.min(MAX_PATIENCE_MS, Math.max(SECOND, wait)) };
}

/** RFC 1928, section 6. */
function socksRefusal(reply: number): ParentRefusal {
  const detail = `SOCKS5 reply ${reply}`;
  if (reply === 2) return refusalOf('policy', detail);
  if (reply === 5) return refusalOf('target', detail);
  if (reply === 3 || reply === 4 || reply === 6) return { failure: fail('target_timeout'), trouble: 'target', detail };
  return refusalOf('exit', detail);
}
