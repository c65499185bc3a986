// What a request says of itself, as far as it is believed: its path and query, and what program it comes from.
import type { IncomingMessage } from 'node:http';

/** Browsers send some 120, tools that list their parts some 300. */
const USER_AGENT_CHARACTERS = 512;

/** The path and query alone: what the request says about the host is not believed. Throws on a path that is none. */
export function urlOf(request: IncomingMessage): URL {
  // RFC 9112, 3.2.2: a server takes the absolute form too; its host is not believed either.
  const target = (request.url ?? '').replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');
  if (!target.startsWith('/')) throw new TypeError('not a path');
  return new URL(`http://egress.internal${target}`);
}

/** A copy of its beginning: a part of a string keeps the whole of it in memory. */
export function userAgentOf({ headers }: IncomingMessage): { userAgent?: string } {
  const given = headers['user-agent'];
  if (given === undefined) return {};
  return { userAgent: given.length <= USER_AGENT_CHARACTERS ? given : Buffer.from(given.slice(0, USER_AGENT_CHARACTERS)).toString() };
}
