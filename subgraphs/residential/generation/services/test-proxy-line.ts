// Sends a real request through a line, and tells where it left from, how long it took, and what was wrong. It is the customer's traffic: it is counted.
import { accountOf } from '#platform/context.ts';
import { because } from '#platform/errors.ts';
import { exitAt } from '../../edges/entities/edge-desk.ts';
import { type LineExchange, type PlaceSource, isElsewhere } from '../domain/line-test.ts';
import { type ProxyLine, readProxyLine } from '../domain/read-proxy-line.ts';
import type { Context } from '../context.ts';
import type { SentLine } from '../providers/line-sender.ts';
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
  const protocol = scheme === null ? (port === SOCKS5.port ? 'SOCKS5' : port === HTTPS?.port ? 'HTTPS' : 'HTTP') : PROTOCOLS[scheme];
  return { host: HTTP.host, port, protocol, username, password };
}
const PROTOCOLS = { http: 'HTTP', https: 'HTTPS', socks5: 'SOCKS5' } as const;

/** The proxy leads nobody to the page that tests ask: the operator has to name another. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['target_address_forbidden', 'target_port_forbidden', 'target_listed', 'proxy_loop']);

async function judged(
  { em }: Context,
  { target }: LineCheck,
  exchange: LineExchange,
): Promise<LineExchange & { placeSource: PlaceSource | null }> {
  const { fault, exit } = exchange;
  const answer = fault && 'answer' in fault ? fault.answer : undefined;
  if (answer === 'client_not_allowed') return { ...exchange, fault: { reason: because('line_test_not_listed') }, placeSource: null };
  if (answer !== undefined && OF_THE_PAGE.has(answer))
    return { ...exchange, fault: { reason: because('line_test_page_closed', { code: answer }) }, placeSource: null };
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
