// The head of an HTTP/1 message, read by the strict letter of RFC 9112: whatever two readers could understand differently is refused.
import { fail } from '#shared/errors.ts';

export type Field = readonly [name: string, value: string];

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

const bad = (reason: string) => fail('proxy_request_invalid', { reason });

/** `text` is Latin-1 without the empty line at its end. Throws `proxy_request_invalid`. */
export function readRequestHead(text: string): RequestHead {
  const [line = '', ...rest] = text.split('\r\n');
  const [method = '', target = '', version = '', ...more] = line.split(' ');
  if (more.length > 0 || !TOKEN.test(method) || !TARGET.test(target)) throw bad('The first line of the request is not valid.');
  if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') throw bad('The request is neither HTTP/1.1 nor HTTP/1.0.');
  return { method, target, version: version === 'HTTP/1.1' ? '1.1' : '1.0', fields: readFields(rest) };
}

/** The same for an answer. Throws, whatever it is: the caller says 502. */
export function readResponseHead(text: string): ResponseHead {
  const [line = '', ...rest] = text.split('\r\n');
  const match = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/.exec(line);
  if (!match) throw bad('The first line of the answer is not valid.');
  return { version: match[1] === '1' ? '1.1' : '1.0', status: Number(match[2]), reason: match[3] ?? '', fields: readFields(rest) };
}

function readFields(lines: readonly string[]): Field[] {
  return lines.map((line): Field => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon < 0 ? 0 : colon);
    // Neither a space before the colon nor a folded line gets past the token.
    if (!TOKEN.test(name)) throw bad('A header has no valid name.');
    const value = line.slice(colon + 1).replace(/^[\t ]+|[\t ]+$/g, '');
    // Bare carriage returns and line feeds are control characters.
    if (!VALUE.test(value)) throw bad('A header has a character that is not allowed.');
    return [name, value];
  });
}

export const valuesOf = (fields: readonly Field[], name: string): string[] =>
  fields.filter(([known]) => known.toLowerCase() === name).map(([, value]) => value);

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
  return fields.filter(([name]) => {
    const known = name.toLowerCase();
    return !STRIPPED.has(known) && !listed.has(known);
  });
}
