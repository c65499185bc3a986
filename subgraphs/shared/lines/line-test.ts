// What a real request through a proxy line has shown.
import { ERRORS } from '../../../schema/codes/catalogue.ts';
import { mendingOf } from '../../../schema/codes/mending.ts';
import { type Params, type Reason, because, isErrorCode, sentenceOf } from '#platform/errors.ts';

/** Why a request through a line failed: what the proxy has answered, by its code, or what we saw ourselves. */
export type LineFault = { answer: string; message?: string | undefined } | { reason: Reason };

/** Where targets see a line. */
export interface SeenExit {
  address: string;
  country?: string | undefined;
  state?: string | undefined;
  city?: string | undefined;
  asn?: number | undefined;
  carrier?: string | undefined;
}

/** Who says where the exit is: the page that was asked, or the operator who has entered the exit. */
export const PLACE_SOURCES = ['TARGET', 'EXIT'] as const;
export type PlaceSource = (typeof PLACE_SOURCES)[number];

/** A request that was sent. Times are milliseconds since the connection to the proxy was begun; null: it did not come so far. */
export interface LineExchange {
  connectMs: number | null;
  firstByteMs: number | null;
  /** Payload of the tunnel, as proxy nodes count it. */
  upBytes: number;
  downBytes: number;
  /** The target's answer. */
  status: number | null;
  exit: SeenExit | null;
  fault: LineFault | null;
}

/** RFC 1928, section 6: what its replies mean here. Those of refused lines say no more than that. */
const BY_REPLY: Partial<Record<number, string>> = {
  3: 'exit_unavailable',
  4: 'target_name_unknown',
  5: 'target_refused',
  6: 'target_timeout',
};

/** The fault that a reply of SOCKS5 tells. */
export const socksFault = (reply: number): LineFault => {
  const answer = BY_REPLY[reply];
  return answer === undefined ? { reason: because('line_test_socks_refused', { reply }) } : { answer };
};

/** The fault that an answer of HTTP tells: the proxy names its code; `following` is what came after the head. */
export function httpFault(status: number, head: string, following: string): LineFault {
  const code = /^x-proxy-error: *([a-z_]{1,64}) *$/im.exec(head)?.[1];
  if (code === undefined) return { reason: because('line_test_refused', { status }) };
  const words = following.trim();
  return { answer: code, message: words !== '' && words.length <= MAX_WORDS ? words : undefined };
}
const MAX_WORDS = 500;

/** The proxy leads nobody to the page that tests ask: the operator has to name another. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['target_address_forbidden', 'target_port_forbidden', 'target_listed', 'proxy_loop']);

/** The fault of a test: some answers of the proxy mean something else where the platform asks, and the page is its own choice. */
export function faultOfTest(fault: LineFault | null): LineFault | null {
  const answer = fault && 'answer' in fault ? fault.answer : undefined;
  if (answer === 'client_not_allowed') return { reason: because('line_test_not_listed') };
  return answer !== undefined && OF_THE_PAGE.has(answer) ? { reason: because('line_test_page_closed', { code: answer }) } : fault;
}

/** A fault as callers are told of it. */
export interface ToldFault {
  code: string;
  message: string;
  hint: string | null;
  params: Params;
}

export function tellFault(fault: LineFault): ToldFault {
  if ('reason' in fault) {
    const { code, params } = fault.reason;
    return { code, message: sentenceOf(fault.reason), hint: null, params };
  }
  const { answer: code, message } = fault;
  // A node may be newer than the platform, and know codes that this does not.
  return { code, message: message ?? (isErrorCode(code) ? ERRORS[code].message : code), hint: mendingOf(code)?.en ?? null, params: {} };
}
