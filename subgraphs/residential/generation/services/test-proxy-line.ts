// Sends a real request through a line, and tells where it left from, how long it took, and what was wrong. It is the customer's traffic: it is counted.
import type { SentLine } from '#lines/line-sender.ts';
import type { LineExchange, PlaceSource } from '#lines/line-test.ts';
import { PROTOCOL_OF_SCHEME, type ProxyLine, readProxyLine } from '#lines/read-proxy-line.ts';
import { accountOf } from '#platform/context.ts';
import { because } from '#platform/errors.ts';
import { exitAt } from '../../edges/entities/edge-desk.ts';
import { isElsewhere } from '../domain/exit-elsewhere.ts';
import type { Context } from '../context.ts';
import { type LineCheck, type LineProblem, checkProxyLine } from './check-proxy-line.ts';

export interface LineTest {
  check: LineCheck;
  /** Null: nothing was sent, for the reasons in the check. */
  sent: (LineExchange & { protocol: SentLine['protocol']; placeSource: PlaceSource | null }) | null;
}

/** With these nothing is sent: there is no proxy of ours in the line, or nobody whom it would let in. What else is wrong, the proxy tells more exactly. */
const UNSENT: ReadonlySet<LineProblem['code']> = new Set([
  'UNREADABLE',
  'HOST_WRONG',
  'PORT_WRONG',
  'USERNAME_UNKNOWN',
  'PASSWORD_OLD',
  'PASSWORD_WRONG',
]);

/** Errors: too_many_attempts, overloaded. */
export async function testProxyLine(ctx: Context, typed: string): Promise<LineTest> {
  const accountId = accountOf(ctx);
  const { lineTests } = ctx.providers;
  const check = await checkProxyLine(ctx, typed);
  const line = readProxyLine(typed);
  if (!line || check.problems.some(({ code }) => UNSENT.has(code))) return { check, sent: null };
  const sending = sentLine(ctx, line);
  const exchange = await lineTests.run(accountId, sending, ctx.signal);
  return { check, sent: { ...(await judged(ctx, check, exchange)), protocol: sending.protocol } };
}

/** The connection goes to the proxies' own address, whatever the line says: only the port is taken from it. */
function sentLine({ providers }: Context, { scheme, port, username, password }: ProxyLine): SentLine {
  const { HTTP, SOCKS5, HTTPS } = providers.proxies;
  const protocol =
    scheme === null ? (port === SOCKS5.port ? 'SOCKS5' : port === HTTPS?.port ? 'HTTPS' : 'HTTP') : PROTOCOL_OF_SCHEME[scheme];
  return { host: HTTP.host, port, protocol, username, password };
}

async function judged(
  { em }: Context,
  { target }: LineCheck,
  exchange: LineExchange,
): Promise<LineExchange & { placeSource: PlaceSource | null }> {
  const { exit } = exchange;
  if (!exit) return { ...exchange, placeSource: null };
  const entered = exit.country === undefined ? await exitAt(em, exit.address) : undefined;
  const placed = { ...entered, ...exit };
  const elsewhere = target && placed.country !== undefined && isElsewhere(target, placed.country);
  return {
    ...exchange,
    exit: placed,
    ...(elsewhere && {
      fault: {
        reason: because('line_test_elsewhere', { asked: target.country.toUpperCase(), seen: (placed.country ?? '').toUpperCase() }),
      },
    }),
    placeSource: placed.country === undefined ? null : entered ? 'EXIT' : 'TARGET',
  };
}
