// How proxy nodes are enrolled with a key of their own, and which facts of plans they are given.
import { nextMidnight } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import { baseOf } from '../../../../edge/protocol/line-username.ts';
import { statusOf } from '../../plans/domain/plan-status.ts';
import { formSessionMinutes } from '../../plans/domain/products.ts';
import type { ToldRules, PlanFacts } from '../../../../edge/protocol/control-plane.ts';
import { subjectOf } from '../../../../edge/protocol/subject.ts';
import { type ProxyUser, STOPS, resumesAt, stateOf } from '../../users/domain/proxy-user.ts';
import { proxyUserByUsername } from '../../users/entities/proxy-user.ts';
import { type EdgePlanRow, edgeOfKeyHash, edgePlanById, insertEdge, planByUsername, revokeEdgeKey } from '../entities/edge.ts';
import type { Context } from '../context.ts';

const KEY_PREFIX = 'egress_edge_';
const NODE_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Enrols a node. Returns its key, which is shown once and stored as a hash. Throws `parameter_invalid` for an id that is taken or has a wrong form. */
export async function enrolEdge(ctx: Context, id: string): Promise<string> {
  const key = `${KEY_PREFIX}${newToken()}`;
  if (!NODE_ID.test(id) || !(await insertEdge(ctx.em, id, hashToken(key), ctx.clock.now()))) {
    throw fail('parameter_invalid', {
      field: 'id',
      reason: because('edge_id_unfit'),
    });
  }
  return key;
}

/** Enrols the node inside the platform's own process. It has no key, so nothing from outside can pass for it. */
export const enrolOwnEdge = async (ctx: Context, id: string): Promise<void> => void (await insertEdge(ctx.em, id, null, ctx.clock.now()));

/** The id of the node that has this key. Throws `edge_unknown`. */
export async function edgeOfKey(ctx: Context, key: string): Promise<string> {
  const id = key.startsWith(KEY_PREFIX) ? await edgeOfKeyHash(ctx.em, hashToken(key)) : undefined;
  if (id === undefined) throw fail('edge_unknown');
  return id;
}

/** Revokes a node's key from its next exchange on. Its open leases end by their time limits. */
export const revokeEdge = (ctx: Context, id: string): Promise<boolean> => revokeEdgeKey(ctx.em, id, ctx.clock.now());

/** What a node may know of the plan, or the proxy user, that has this username; undefined when nobody has it. */
export async function planFacts(ctx: Context, username: string): Promise<PlanFacts | undefined> {
  if (baseOf(username) !== username) return undefined;
  const now = ctx.clock.now();
  const plan = await planByUsername(ctx, username, now);
  return plan ? factsOf(ctx, plan, now) : userFacts(ctx, username, now);
}

function factsOf(ctx: Context, plan: EdgePlanRow, now: Date): PlanFacts {
  return {
    planId: plan.id,
    username: plan.username,
    epoch: plan.epoch,
    fingerprint: plan.fingerprint,
    oldFingerprints: plan.oldFingerprints,
    product: plan.product,
    sessionMinutes: formSessionMinutes(ctx.providers.products[plan.product]),
    // Nodes of an older version do not know the member `suspended`: the status stops the plan there too.
    status: plan.accountSuspended ? 'PAUSED' : statusOf(plan),
    ...(plan.accountSuspended && { suspended: true }),
    ...(plan.networks && { rules: { clients: plan.networks.map(({ network }) => network), networks: plan.networks } }),
    ...(plan.requestLog && plan.requestLog !== 'OFF' && { requestLog: plan.requestLog }),
    ...(plan.sessionRenewals > 0 && { sessionRenewals: plan.sessionRenewals }),
    retryAfterSeconds: secondsUntil(nextMidnight(now), now),
  };
}

const secondsUntil = (at: Date, now: Date): number => Math.ceil((at.getTime() - now.getTime()) / 1_000);

/** The user's own, in the place of the plan's; of a list that is not the plan's no entry is used. */
const rulesOf = ({ rules }: PlanFacts, user: ProxyUser): ToldRules => ({
  ...rules,
  ...(user.rules.clients && { networks: undefined }),
  ...user.rules,
});

/** The facts of a proxy user in the form of a plan's: those of its plan, with the user's own credentials and narrower rules. */
async function userFacts(ctx: Context, username: string, now: Date): Promise<PlanFacts | undefined> {
  const user = await proxyUserByUsername(ctx, username, now);
  const plan = user && (await edgePlanById(ctx, user.planId, now));
  if (!user || !plan) return undefined;
  const ofPlan = factsOf(ctx, plan, now);
  const state = stateOf(user);
  const stop = ofPlan.status === 'ACTIVE' ? STOPS[state] : undefined;
  const until = resumesAt(state, now);
  return {
    ...ofPlan,
    planId: subjectOf(plan.id, user.id),
    username: user.username,
    epoch: user.credentialEpoch,
    fingerprint: user.passwordFingerprint,
    oldFingerprints: [],
    ...((ofPlan.rules || Object.keys(user.rules).length > 0) && { rules: rulesOf(ofPlan, user) }),
    // Nodes of an older version do not know the member `stop` and go by the status.
    ...(stop && { stop, status: stop === 'used_up' ? 'EXPIRED' : 'PAUSED' }),
    ...(stop && until && { retryAfterSeconds: secondsUntil(until, now) }),
  };
}
