// The lines of a generation: host:port:username:password. Spec, Generated proxy line.
import { sessionPart, targetPart } from '../../../../edge/protocol/line-username.ts';
import { SESSION_NUMBERS, sessionNumber } from '../../plans/domain/session-numbers.ts';
import type { Target } from './targeting.ts';

export interface ProxyAddress {
  host: string;
  port: number;
}

export interface LineCredentials {
  username: string;
  password: string;
}

export interface StickySessions {
  minutes: number;
  /** Position of the first number in the plan's sequence. */
  start: number;
  stride: number;
}

/**
 * Returns `count` lines as one text, joined by line feeds, without one at the end. Without `sessions` the lines are rotating and all the same. One loop of
 * string concatenation: ten thousand lines take about a millisecond.
 */
export function proxyText(
  address: ProxyAddress,
  credentials: LineCredentials,
  target: Target,
  count: number,
  sessions?: StickySessions,
): string {
  const before = `${address.host}:${address.port}:${targetPart(credentials.username, target)}`;
  const after = `:${credentials.password}`;
  if (!sessions) return `${before}${after}\n`.repeat(count - 1) + before + after;

  const [head = '', tail = ''] = sessionPart('|', sessions.minutes).split('|');
  const opening = `${before}${head}`;
  const closing = `${tail}${after}`;
  let number = sessionNumber(sessions.start, sessions.stride);
  let text = '';
  for (let index = 0; index < count; index++) {
    // Adding 10^8 gives nine digits that begin with 1; cutting the 1 off is the cheapest way to pad to eight digits.
    text += `${index === 0 ? '' : '\n'}${opening}${String(SESSION_NUMBERS + number).slice(1)}${closing}`;
    number += sessions.stride;
    if (number >= SESSION_NUMBERS) number -= SESSION_NUMBERS;
  }
  return text;
}

export const toLines = (text: string): string[] => text.split('\n');
