// Parses the head of an HTTP/1 message strictly by RFC 9112: what two parsers could understand differently is refused.
import { fail } from '#platform/errors.ts';

/** `known`: the name in lower case. */
export type Field = readonly [name: string, value: string, known: string];

export interface RequestHead {
  method: string;
  target: string;
  version: '1.0' | '1.1';
  fields: readonly Field[];
}

export interface ResponseHead {
  status: number;
  reason: string;
  version: '1.0' | '1.1';
  fields: readonly Field[];
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible characters, tabs and the upper half of Latin-1; no other control character. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const TARGET = /^[\x21-\x7e]+$/;

const bad = (reason: string) => fail('proxy_request_invalid', {}, reason);

/** `text` is Latin-1 without the empty line at its end. Throws `proxy_request_invalid`. */
export function readRequestHead(text: string): RequestHead {
  const line = firstLine(text);
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  const [method, target, version] = [line.slice(0, Math.max(0, first)), line.slice(first + 1, Math.max(0, second)), line.slice(second + 1)];
  if (!TOKEN.test(method) || !TARGET.test(target) || version.includes(' ')) throw bad('The first line of the request is not valid.');
  if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') throw bad('The request is neither HTTP/1.1 nor HTTP/1.0.');
  return { method, target, version: version === 'HTTP/1.1' ? '1.1' : '1.0', fields: readFields(text, line.length + EOL.length) };
}

/**
 * Where the head of an answer ends and the following bytes begin; undefined: not complete yet. Lines may end with a bare line feed (RFC 9112, 2.2), as
 * some targets send them and browsers accept them: the customer gets a newly written head.
 */
export function endOfResponseHead(bytes: Buffer): { end: number; next: number } | undefined {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) return { end: bytes[at - 1] === CR ? at - 1 : at, next: next + 1 };
  }
  return undefined;
}

/** Parses the head of an answer. Throws when it is invalid; the caller answers 502. */
export function readResponseHead(head: string): ResponseHead {
  const text = BARE_LINE_FEED.test(head) ? head.replaceAll(/\r?\n/g, EOL) : head;
  const line = firstLine(text);
  const match = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/.exec(line);
  if (!match) throw bad('The first line of the answer is not valid.');
  return {
    version: match[1] === '1' ? '1.1' : '1.0',
    status: Number(match[2]),
    reason: match[3] ?? '',
    fields: readFields(text, line.length + EOL.length),
  };
}

const EOL = '\r\n';
const BARE_LINE_FEED = /(?:^|[^\r])\n/;
const LF = 10;
const CR = 13;

function firstLine(text: string): string {
  const end = text.indexOf(EOL);
  return end < 0 ? text : text.slice(0, end);
}

/** The header fields from this position on. Avoids `split`, since every new tunnel and request is parsed here. */
function readFields(text: string, from: number): Field[] {
  const fields: Field[] = [];
  while (from <= text.length) {
    const found = text.indexOf(EOL, from);
    const end = found < 0 ? text.length : found;
    const colon = text.indexOf(':', from);
    const name = colon < 0 || colon > end ? '' : text.slice(from, colon);
    // This also refuses a space before the colon and folded lines.
    if (!TOKEN.test(name)) throw bad('A header has no valid name.');
    const value = withoutBlanks(text, colon + 1, end);
    // This also refuses bare carriage returns and line feeds.
    if (!VALUE.test(value)) throw bad('A header has a character that is not allowed.');
    fields.push([name, value, name.toLowerCase()]);
    from = end + EOL.length;
  }
  return fields;
}

const TAB = 9;
const SPACE = 32;
const isBlank = (code: number): boolean => code === SPACE || code === TAB;

/** Trims spaces and tabs; `trim` would remove more. */
function withoutBlanks(text: string, from: number, end: number): string {
  while (from < end && isBlank(text.charCodeAt(from))) from++;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(from, end);
}

export const valuesOf = (fields: readonly Field[], name: string): string[] =>
  fields.filter(([, , known]) => known === name).map(([, value]) => value);

/** The comma-separated words of a header, in lower case. */
export const wordsOf = (fields: readonly Field[], name: string): string[] =>
  valuesOf(fields, name)
    .flatMap((value) => value.split(',').map((word) => word.trim().toLowerCase()))
    .filter((word) => word !== '');

/** Hop-by-hop fields (RFC 9110, 7.6.1), and fields that would reveal the customer to the target. */
const STRIPPED = new Set([
  'connection',
  'keep-alive',
  'te',
  'upgrade',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-status',
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'true-client-ip',
]);
/** Needed to frame or route the message: Connection cannot remove them. */
const FRAMING = new Set(['transfer-encoding', 'content-length', 'host']);

/** The fields that are forwarded. */
export function forwardedFields(fields: readonly Field[]): Field[] {
  const listed = new Set(wordsOf(fields, 'connection').filter((word) => !FRAMING.has(word)));
  return fields.filter(([, , known]) => !STRIPPED.has(known) && !listed.has(known));
}
