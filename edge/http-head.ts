// The head of an HTTP/1 message, read by the strict letter of RFC 9112: whatever two readers could understand differently is refused.
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
 * Where the head of an answer ends, and what follows begins; undefined: not yet. Its lines may end with a bare line feed (RFC 9112, 2.2), as some
 * targets write them and browsers read them: the head is written anew for the customer.
 */
export function endOfResponseHead(bytes: Buffer): { end: number; next: number } | undefined {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1] === CR ? at + 2 : at + 1;
    if (bytes[next] === LF) return { end: bytes[at - 1] === CR ? at - 1 : at, next: next + 1 };
  }
  return undefined;
}

/** The same for an answer. Throws, whatever it is: the caller says 502. */
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

/** The lines from a place on. Not by `split`: every new tunnel and every request comes through here. */
function readFields(text: string, from: number): Field[] {
  const fields: Field[] = [];
  while (from <= text.length) {
    const found = text.indexOf(EOL, from);
    const end = found < 0 ? text.length : found;
    const colon = text.indexOf(':', from);
    const name = colon < 0 || colon > end ? '' : text.slice(from, colon);
    // Neither a space before the colon nor a folded line gets past the token.
    if (!TOKEN.test(name)) throw bad('A header has no valid name.');
    const value = withoutBlanks(text, colon + 1, end);
    // Bare carriage returns and line feeds are control characters.
    if (!VALUE.test(value)) throw bad('A header has a character that is not allowed.');
    fields.push([name, value, name.toLowerCase()]);
    from = end + EOL.length;
  }
  return fields;
}

const TAB = 9;
const SPACE = 32;
const isBlank = (code: number): boolean => code === SPACE || code === TAB;

/** A part of a text; not `trim`, which takes more than blanks. */
function withoutBlanks(text: string, from: number, end: number): string {
  while (from < end && isBlank(text.charCodeAt(from))) from++;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(from, end);
}

export const valuesOf = (fields: readonly Field[], name: string): string[] =>
  fields.filter(([, , known]) => known === name).map(([, value]) => value);

/** Comma-separated words of a header, lower case. */
export const wordsOf = (fields: readonly Field[], name: string): string[] =>
  valuesOf(fields, name)
    .flatMap((value) => value.split(',').map((word) => word.trim().toLowerCase()))
    .filter((word) => word !== '');

/** Of one connection only (RFC 9110, 7.6.1), or telling the target who stands behind the proxy. */
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
/** These say how long the body is: they cannot be listed away by Connection. */
const FRAMING = new Set(['transfer-encoding', 'content-length', 'host']);

/** The fields that go on. */
export function forwardedFields(fields: readonly Field[]): Field[] {
  const listed = new Set(wordsOf(fields, 'connection').filter((word) => !FRAMING.has(word)));
  return fields.filter(([, , known]) => !STRIPPED.has(known) && !listed.has(known));
}
