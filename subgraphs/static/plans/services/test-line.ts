// Sends a real request through a line of a static plan, and tells what the target saw, how long it took, and what was wrong.
import type { LineExchange, PlaceSource } from '#lines/line-test.ts';
import type { LineProtocol } from '#lines/line-protocol.ts';
import { accountOf } from '#platform/context.ts';
import { because } from '#platform/errors.ts';
import type { PlansContext } from '../context.ts';
import { type StaticLineCheck, checkStaticLine } from './check-line.ts';

export interface StaticLineTest {
  check: StaticLineCheck;
  /** Null: nothing was sent, for the reasons in the check. */
  sent: (LineExchange & { protocol: LineProtocol; placeSource: PlaceSource | null }) | null;
}

/** Errors: too_many_attempts, overloaded. */
export async function testStaticLine(ctx: PlansContext, typed: string): Promise<StaticLineTest> {
  const check = await checkStaticLine(ctx, typed);
  const { sendable, address } = check;
  if (!sendable) return { check, sent: null };
  const exchange = await ctx.providers.lineTests.run(accountOf(ctx), sendable, ctx.signal);
  const { exit } = exchange;
  const strange = exit !== null && address !== null && exit.address !== address.ip;
  const fault = strange ? { reason: because('static_line_test_strange', { asked: address.ip, seen: exit.address }) } : exchange.fault;
  return { check, sent: { ...exchange, fault, protocol: sendable.protocol, placeSource: exit?.country === undefined ? null : 'TARGET' } };
}
