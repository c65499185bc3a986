// What a request says about itself, as far as the gateway uses it: its path and query, and its user agent.
import type { IncomingMessage } from 'node:http';

/** Browsers send some 120 characters, tools that list their parts some 300. */
const USER_AGENT_CHARACTERS = 512;

/** The path and query alone: the host that the request names is ignored. Throws a TypeError when the target is not a path. */
export function urlOf(request: IncomingMessage): URL {
  // RFC 9112, 3.2.2: a server must accept the absolute form too; the host in it is ignored as well.
  const target = (request.url ?? '').replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');
  if (!target.startsWith('/')) throw new TypeError('not a path');
  return new URL(`http://egress.internal${target}`);
}

/** A copy of its first characters: a slice would keep the whole string in memory. */
export function userAgentOf({ headers }: IncomingMessage): { userAgent?: string } {
  const given = headers['user-agent'];
  if (given === undefined) return {};
  return { userAgent: given.length <= USER_AGENT_CHARACTERS ? given : Buffer.from(given.slice(0, USER_AGENT_CHARACTERS)).toString() };
}
