// How sellers of exits read the log-ins of their resellers, each by its own documentation (read in November 2026).
import { timingSafeEqual } from 'node:crypto';

/** The targeting in a log-in, in the seller's own words. */
export interface Asked {
  country?: string;
  state?: string;
  city?: string;
  asn?: string;
  session?: string;
  /** Seconds. */
  lifetime?: number;
}

export interface Refusal {
  status: number;
  reason: string;
  headers?: Readonly<Record<string, string>>;
}

type Field = keyof Asked;

export interface Grammar {
  /** The account's plain log-in, without any targeting. */
  account: { username: string; password: string };
  /** Whether the username or the password carries the targeting. */
  in: 'username' | 'password';
  separator: string;
  joint: string;
  parts: Readonly<Record<string, { field: Field; shape: RegExp }>>;
  /** Converts a value with its unit to seconds. */
  secondsOf(value: string): number;
  /** The lifetime of a session that does not state one. */
  sessionSeconds: number;
  /** A session without requests ends after this time. */
  idleSeconds?: number;
  /** The answer to an unknown part or an impossible value. */
  malformed: Refusal;
  wrongLogin: Refusal;
  noMoney: Refusal;
  forbidden: Refusal;
  tooMany: Refusal;
  noExit: Refusal;
}

const words = /^[a-z0-9_]{1,64}$/;
const seconds = (value: string) => Number(value);
const minutes = (value: string) => Number(value) * 60;
/** The answers that most sellers have in common. */
const COMMON = {
  wrongLogin: { status: 407, reason: 'Proxy Authentication Required' },
  noMoney: { status: 402, reason: 'Payment Required' },
  forbidden: { status: 403, reason: 'Forbidden' },
  tooMany: { status: 429, reason: 'Too Many Requests', headers: { 'Retry-After': '2' } },
};

export const GRAMMARS = {
  /** Bright Data, "Proxy configuration options" and "Error catalog": errors in x-brd-err-msg and Proxy-Status; cities without spaces. */
  zone: {
    ...COMMON,
    account: { username: 'brd-customer-c1-zone-resi', password: 'z-secret' },
    in: 'username',
    separator: '-',
    joint: '-',
    parts: {
      country: { field: 'country', shape: /^[a-z]{2}$/ },
      state: { field: 'state', shape: /^[a-z]{2}$/ },
      city: { field: 'city', shape: /^[a-z0-9]{1,64}$/ },
      asn: { field: 'asn', shape: /^\d{1,10}$/ },
      session: { field: 'session', shape: /^[a-zA-Z0-9_]{1,64}$/ },
    },
    secondsOf: seconds,
    sessionSeconds: 300,
    malformed: { status: 407, reason: 'Auth Failed', headers: { 'X-Brd-Err-Msg': 'malformed proxy username' } },
    forbidden: { status: 403, reason: 'Forbidden', headers: { 'X-Brd-Err-Msg': 'target site is not allowed by policy' } },
    noExit: {
      status: 502,
      reason: 'Proxy Error',
      headers: { 'X-Brd-Err-Msg': 'no_peers: no peers available', 'Proxy-Status': 'gw; error=proxy_internal_error' },
    },
  },
  /** Oxylabs, "Making requests", "Session control", "Response codes": countries in upper case, us_new_york; sessions last ten minutes by default, one minute when idle. */
  customer: {
    ...COMMON,
    account: { username: 'customer-acme', password: 'c-secret' },
    in: 'username',
    separator: '-',
    joint: '-',
    parts: {
      cc: { field: 'country', shape: /^[A-Za-z]{2}$/ },
      st: { field: 'state', shape: /^[a-z]{2}_[a-z_]{1,60}$/ },
      city: { field: 'city', shape: words },
      ASN: { field: 'asn', shape: /^\d{1,10}$/ },
      sessid: { field: 'session', shape: /^[0-9A-Za-z]{1,64}$/ },
      sesstime: { field: 'lifetime', shape: /^\d{1,4}$/ },
    },
    secondsOf: minutes,
    sessionSeconds: 600,
    idleSeconds: 60,
    malformed: { status: 400, reason: 'Bad Request' },
    noMoney: { status: 407, reason: 'Proxy Authentication Required' },
    noExit: { status: 525, reason: 'No Exit Found' },
  },
  /** Decodo, "Advanced parameters": sessionduration in minutes. */
  duration: {
    ...COMMON,
    account: { username: 'user-acme', password: 'd-secret' },
    in: 'username',
    separator: '-',
    joint: '-',
    parts: {
      country: { field: 'country', shape: /^[a-z]{2}$/ },
      state: { field: 'state', shape: /^[a-z]{2}_[a-z_]{1,60}$/ },
      city: { field: 'city', shape: words },
      asn: { field: 'asn', shape: /^\d{1,10}$/ },
      session: { field: 'session', shape: /^[0-9A-Za-z_]{1,64}$/ },
      sessionduration: { field: 'lifetime', shape: /^\d{1,4}$/ },
    },
    secondsOf: minutes,
    sessionSeconds: 600,
    malformed: { status: 407, reason: 'Proxy Authentication Required' },
    noExit: { status: 503, reason: 'Service Unavailable' },
  },
  /** IPRoyal, "Proxy" and "Rotation": targeting in the password; a session id has exactly eight characters; one unit of time, at most seven days. */
  password: {
    ...COMMON,
    account: { username: 'acme', password: 'p0secret' },
    in: 'password',
    separator: '_',
    joint: '-',
    parts: {
      country: { field: 'country', shape: /^[a-z]{2}$/ },
      state: { field: 'state', shape: /^[a-z]{1,64}$/ },
      city: { field: 'city', shape: /^[a-z]{1,64}$/ },
      session: { field: 'session', shape: /^[0-9A-Za-z]{8}$/ },
      lifetime: { field: 'lifetime', shape: /^\d{1,6}[smhd]$/ },
    },
    secondsOf: (value) => Number(value.slice(0, -1)) * ({ s: 1, m: 60, h: 3_600, d: 86_400 }[value.slice(-1)] ?? 0),
    sessionSeconds: 86_400,
    malformed: { status: 407, reason: 'Proxy Authentication Required' },
    noExit: { status: 503, reason: 'Service Unavailable' },
  },
  /** SOAX, "Sticky sessions": spaces as plus signs; the lifetime in seconds, up to a day. */
  package: {
    ...COMMON,
    account: { username: 'package-77', password: 'k-secret' },
    in: 'username',
    separator: '-',
    joint: '-',
    parts: {
      country: { field: 'country', shape: /^[a-z]{2}$/ },
      region: { field: 'state', shape: /^[a-z+]{1,64}$/ },
      city: { field: 'city', shape: /^[a-z+]{1,64}$/ },
      sessionid: { field: 'session', shape: /^[0-9A-Za-z]{1,64}$/ },
      sessionlength: { field: 'lifetime', shape: /^\d{1,5}$/ },
    },
    secondsOf: seconds,
    sessionSeconds: 180,
    malformed: { status: 407, reason: 'Proxy Authentication Required' },
    noMoney: { status: 403, reason: 'Package has expired' },
    noExit: { status: 503, reason: 'Service Unavailable' },
  },
  /** anyIP, "Proxy client errors": attributes between commas; a city requires its country. */
  attributes: {
    ...COMMON,
    account: { username: 'user_acme,type_residential', password: 'a-secret' },
    in: 'username',
    separator: ',',
    joint: '_',
    parts: {
      country: { field: 'country', shape: /^[A-Z]{2}$/ },
      region: { field: 'state', shape: words },
      city: { field: 'city', shape: words },
      session: { field: 'session', shape: /^[a-zA-Z0-9]{1,32}$/ },
    },
    secondsOf: seconds,
    sessionSeconds: 1_800,
    malformed: { status: 407, reason: 'Bad Authentication' },
    noExit: { status: 503, reason: 'Service Unavailable' },
  },
} as const satisfies Record<string, Grammar>;

export type GrammarName = keyof typeof GRAMMARS;

const same = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** The targeting in a log-in, or the seller's refusal. A city or a state requires its country. */
export function readLogin(grammar: Grammar, username: string, password: string): Asked | Refusal {
  const { account, separator, joint, parts, malformed } = grammar;
  const [read, other] = grammar.in === 'username' ? [username, password] : [password, username];
  const [base, rest] = grammar.in === 'username' ? [account.username, account.password] : [account.password, account.username];
  if (!same(other, rest) || !read.startsWith(base)) return grammar.wrongLogin;
  const tail = read.slice(base.length);
  if (tail === '') return {};
  if (!tail.startsWith(separator)) return grammar.wrongLogin;
  const asked: Asked = {};
  const pieces =
    joint === separator
      ? pairs(tail.slice(1).split(separator))
      : tail
          .slice(1)
          .split(separator)
          .map((piece) => cut(piece, joint));
  for (const [word, value] of pieces) {
    const part = Object.hasOwn(parts, word) ? parts[word] : undefined;
    if (!part || !part.shape.test(value) || asked[part.field] !== undefined) return malformed;
    if (part.field === 'lifetime') asked.lifetime = grammar.secondsOf(value);
    else asked[part.field] = value;
  }
  const needsCountry = asked.city !== undefined || asked.state !== undefined;
  if ((needsCountry && asked.country === undefined) || (asked.lifetime !== undefined && asked.session === undefined)) return malformed;
  return asked;
}

const cut = (piece: string, joint: string): [string, string] => {
  const at = piece.indexOf(joint);
  return at < 0 ? [piece, ''] : [piece.slice(0, at), piece.slice(at + 1)];
};

const pairs = (flat: readonly string[]): [string, string][] =>
  Array.from({ length: Math.ceil(flat.length / 2) }, (_, index) => [flat[index * 2] ?? '', flat[index * 2 + 1] ?? '']);
