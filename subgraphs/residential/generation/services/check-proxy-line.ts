// "Proxy doctor": tells whether a line works now, and every reason why not. It finds only plans of its caller, and never answers with a password.
import { createHash } from 'node:crypto';
import { type ProxyLine, readProxyLine } from '#lines/read-proxy-line.ts';
import { nextMidnight } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { mayReach } from '#platform/identity.ts';
import { Failure, type Reason, because } from '#platform/errors.ts';
import { findCity } from '../../../../edge/protocol/city-table.ts';
import { countriesOf } from '../../../../edge/protocol/line-countries.ts';
import { type LineTarget, baseOf, readLineTarget } from '../../../../edge/protocol/line-username.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { planEndOf, statusOf } from '../../plans/domain/plan-status.ts';
import { formSessionMinutes } from '../../plans/domain/products.ts';
import { findState } from '../../../../edge/protocol/states.ts';
import { type EdgePlanRow, planByUsername } from '../../edges/entities/edge.ts';
import { replacedAt } from '../../plans/entities/old-password.ts';
import { ownPlan } from '../../plans/entities/plan.ts';
import { type ProxyUser, resumesAt, stateOf } from '../../users/domain/proxy-user.ts';
import { proxyUserByUsername } from '../../users/entities/proxy-user.ts';
import type { Context } from '../context.ts';

export const PROBLEMS = [
  'UNREADABLE',
  'HOST_WRONG',
  'PORT_WRONG',
  'USERNAME_UNKNOWN',
  'USERNAME_INVALID',
  'TIME_NOT_ALLOWED',
  'STATE_UNKNOWN',
  'CITY_UNKNOWN',
  'PASSWORD_OLD',
  'PASSWORD_WRONG',
  'PAUSED',
  'EXPIRED',
] as const;

export interface LineProblem {
  code: (typeof PROBLEMS)[number];
  reason: Reason;
}

export interface LineCheck {
  line: Omit<ProxyLine, 'password'> | null;
  target: LineTarget | null;
  planId: string | null;
  /** Empty: the line works. */
  problems: LineProblem[];
}

const at = (moment: Date) => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export async function checkProxyLine(ctx: Context, typed: string): Promise<LineCheck> {
  const accountId = accountOf(ctx);
  const read = readProxyLine(typed);
  if (!read) {
    return { line: null, target: null, planId: null, problems: [{ code: 'UNREADABLE', reason: because('line_unreadable') }] };
  }
  const { password, ...line } = read;
  const problems = addressProblems(ctx, line);
  const now = ctx.clock.now();
  const base = baseOf(line.username);
  const known = base === undefined ? undefined : await planByUsername(ctx, base, now);
  const user = base === undefined || known ? undefined : await proxyUserByUsername(ctx, base, now);
  const planId = known?.id ?? user?.planId;
  const isReached = planId !== undefined && mayReach(ctx.viewer, planId, ...(user ? [user.id] : []));
  const plan = isReached ? await ownPlan(ctx, accountId, planId, now) : undefined;
  if (!plan) {
    problems.push({ code: 'USERNAME_UNKNOWN', reason: because('line_username_unknown') });
    return { line, target: null, planId: null, problems };
  }
  const { target, problems: wrong } = targetProblems(ctx, line.username, plan);
  const ofPassword = known ? await passwordProblems(ctx, known, password) : user ? userProblems(user, target, password) : [];
  problems.push(...wrong, ...ofPassword, ...statusProblems(plan));
  return { line, target, planId: plan.id, problems };
}

function addressProblems({ providers }: Context, { host, port }: Pick<ProxyLine, 'host' | 'port'>): LineProblem[] {
  const { HTTP, SOCKS5, HTTPS } = providers.proxies;
  const problems: LineProblem[] = [];
  if (host !== HTTP.host.toLowerCase() && host !== SOCKS5.host.toLowerCase())
    problems.push({ code: 'HOST_WRONG', reason: because('line_host_wrong', { host: HTTP.host }) });
  if (port !== HTTP.port && port !== SOCKS5.port && port !== HTTPS?.port)
    problems.push({ code: 'PORT_WRONG', reason: because('line_port_wrong', { http: HTTP.port, socks5: SOCKS5.port }) });
  return problems;
}

function targetProblems({ providers }: Context, username: string, plan: Plan): { target: LineTarget | null; problems: LineProblem[] } {
  const minutes = Number(/-sessionttl-(\d+)/i.exec(username)?.[1] ?? 60);
  let target: LineTarget;
  try {
    // Any lifetime is accepted here; it is checked below, where the product's name is known for the message.
    target = readLineTarget(username, [minutes]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { target: null, problems: [{ code: 'USERNAME_INVALID', reason: because('line_username_unfit', { words: error.message }) }] };
  }
  const problems: LineProblem[] = [];
  const product = providers.products[plan.product];
  const allowed = formSessionMinutes(product);
  if (target.lifetime !== undefined && !allowed.includes(target.lifetime))
    problems.push({
      code: 'TIME_NOT_ALLOWED',
      reason: because('line_time_not_allowed', { allowed: allowed.join(', '), product: product.name }),
    });
  const state = target.state === undefined ? undefined : findState(target.country, target.state);
  if (target.state !== undefined && !state)
    problems.push({ code: 'STATE_UNKNOWN', reason: because('line_state_unknown', { state: target.state, country: target.country ?? '' }) });
  else if (target.city !== undefined && !findCity(target.country, target.city, state?.iso)) {
    const { city, country = '' } = target;
    const reason = state
      ? because('line_city_unknown_in_state', { city, state: state.code })
      : because('line_city_unknown', { city, country });
    problems.push({ code: 'CITY_UNKNOWN', reason });
  }
  return { target, problems };
}

async function passwordProblems({ em }: Context, plan: EdgePlanRow, password: string): Promise<LineProblem[]> {
  const fingerprint = createHash('sha256').update(password).digest();
  if (fingerprint.equals(plan.fingerprint)) return [];
  const replaced = await replacedAt(em, plan.id, fingerprint);
  return replaced
    ? [{ code: 'PASSWORD_OLD', reason: because('line_password_old', { at: at(replaced) }) }]
    : [{ code: 'PASSWORD_WRONG', reason: because('line_password_wrong') }];
}

/** Problems of a proxy user's line: its password, the countries that it may use, and its own limits. */
function userProblems(user: ProxyUser, target: LineTarget | null, password: string): LineProblem[] {
  const problems: LineProblem[] = [];
  if (!createHash('sha256').update(password).digest().equals(user.passwordFingerprint))
    problems.push({ code: 'PASSWORD_WRONG', reason: because('line_password_wrong') });
  const { countries } = user.rules;
  if (countries && target && !countriesOf(target.country).every((code) => countries.includes(code)))
    problems.push({ code: 'USERNAME_INVALID', reason: because('line_place_not_allowed', { allowed: countries.join(', ') }) });
  const state = stateOf(user);
  const until = resumesAt(state, user.asOf);
  if (state === 'PAUSED') problems.push({ code: 'PAUSED', reason: because('line_user_paused', { name: user.name }) });
  if (until) problems.push({ code: 'PAUSED', reason: because('line_user_limited', { name: user.name, until: at(until) }) });
  if (state === 'USED_UP') problems.push({ code: 'EXPIRED', reason: because('line_user_used_up', { name: user.name }) });
  return problems;
}

function statusProblems(plan: Plan): LineProblem[] {
  const status = statusOf(plan);
  if (status === 'PAUSED') return [{ code: 'PAUSED', reason: because('line_paused', { until: at(nextMidnight(plan.asOf)) }) }];
  if (status === 'EXPIRED') return [{ code: 'EXPIRED', reason: because(planEndOf(plan) === 'LAPSED' ? 'plan_lapsed' : 'line_expired') }];
  return [];
}
