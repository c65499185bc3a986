// The key of a sticky session, the same on every node and on the platform, which finds a plan's sessions by its first part and a session's number in its last.
import { placeOf } from './exit.ts';
import type { LineTarget } from './protocol/line-username.ts';
import type { ProductCode } from './protocol/product.ts';

export const sessionKey = (planId: string, product: ProductCode, target: LineTarget, place = placeOf(target)): string =>
  `${planId}/${product}/${place}/${target.session}${target.turn === undefined ? '' : `~${target.turn}`}`;

/** The same line before it last asked for another exit; undefined: it never has. */
export function beforeTurn(target: LineTarget): LineTarget | undefined {
  if (target.turn === undefined) return undefined;
  const { turn, ...line } = target;
  return turn > 1 ? { ...line, turn: turn - 1 } : line;
}
