// What an owner changes of the list of networks from which a plan's addresses are used, without a password or in addition to it.
import { checkNetworkCount, toNetwork, toNetworkNote } from '#platform/client-networks.ts';
import { accountOf, doneBy, ownerOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { mayReach } from '#platform/identity.ts';
import { appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { isPublicAddress } from '#platform/public-address.ts';
import { requirePlanAction } from '../domain/plan-actions.ts';
import { addressIdsOf } from '../entities/plan-address.ts';
import { type PlanNetwork, deleteNetwork, insertNetwork, networksOfPlans, planOfNetwork } from '../entities/plan-network.ts';
import { type StaticPlan, lockPlanOf } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';

export interface NetworkInput {
  network: string;
  /** One of the plan's addresses. Absent: all of them. */
  ip?: string | null | undefined;
  note?: string | null | undefined;
}

interface About {
  at: Date;
  accountId: string;
  subject: string;
}

/** Locks the caller's plan and changes it; `change` appends its event, about the plan. Returns the plan's id. */
const changeList = (
  ctx: PlansContext,
  planId: string,
  change: (tx: PlansContext, plan: StaticPlan, about: About) => Promise<void>,
): Promise<string> =>
  inTransaction(ctx, async (tx) => {
    const plan = await lockPlanOf(tx.em, ownerOf(ctx, planId), planId);
    const at = tx.clock.now();
    requirePlanAction('set_networks', plan, at);
    await change(tx, plan, { at, accountId: plan.accountId, subject: planId });
    return planId;
  });

/**
 * Lets a network in. Returns the plan's id. Errors: plan_not_found, action_not_allowed, parameter_invalid (not a network, too wide, private, let in there already,
 * too many of them, not an address of the plan).
 */
export const addNetwork = (ctx: PlansContext, planId: string, input: NetworkInput): Promise<string> =>
  changeList(ctx, planId, async ({ em, clock, providers }, _, about) => {
    const network = toNetwork(input.network, providers.privateNetworks ? () => true : isPublicAddress);
    const note = toNetworkNote(input.note);
    const known = await networksOfPlans(em, [planId]);
    checkNetworkCount(known.length);
    const ip = input.ip ?? null;
    const addressId = ip === null ? null : await addressOf(em, planId, ip);
    checkNotLetIn(known, network, ip);
    const { accountId, at: createdAt } = about;
    await insertNetwork(em, { id: newId('net', clock), planId, accountId, addressId, network, note, createdAt });
    await appendEvents(em, {
      type: 'static_plan.network_added',
      ...about,
      data: { planId, network, ...(ip !== null && { ip }), ...doneBy(ctx) },
    });
  });

/** The id of the plan's address. Throws `parameter_invalid`. */
async function addressOf(em: PlansContext['em'], planId: string, ip: string): Promise<string> {
  const [id] = await addressIdsOf(em, planId, [ip]);
  if (id === undefined) throw fail('parameter_invalid', { field: 'ip', reason: because('plan_address_unknown') });
  return id;
}

/** At each address a network has one entry, or nobody could tell which of them lets it in. Throws `parameter_invalid`. */
function checkNotLetIn(known: readonly PlanNetwork[], network: string, ip: string | null): void {
  const there = known.find((one) => one.network === network && (one.ip === null || ip === null || one.ip === ip));
  if (!there) return;
  const reason = there.ip === null ? because('network_let_in', { network }) : because('network_let_in_at', { network, ip: there.ip });
  throw fail('parameter_invalid', { field: 'network', reason });
}

/** Removes a network; nodes end what was opened by it. Returns the plan's id. Errors: network_not_found, action_not_allowed. */
export async function removeNetwork(ctx: PlansContext, id: string): Promise<string> {
  const planId = await planOfNetwork(ctx.em, accountOf(ctx), id);
  if (planId === undefined || !mayReach(ctx.viewer, planId)) throw fail('network_not_found');
  return changeList(ctx, planId, async ({ em }, _, about) => {
    const network = await deleteNetwork(em, id);
    if (network === undefined) throw fail('network_not_found');
    await appendEvents(em, { type: 'static_plan.network_removed', ...about, data: { planId, network, ...doneBy(ctx) } });
  });
}

/** Sets whether lines need both their password and one of the networks. Returns the plan's id. Errors: plan_not_found, action_not_allowed. */
export const setLogIn = (ctx: PlansContext, planId: string, both: boolean): Promise<string> =>
  changeList(ctx, planId, async ({ em }, plan, about) => {
    plan.networksAndPassword = both;
    await appendEvents(em, { type: 'static_plan.log_in_set', ...about, data: { planId, both, ...doneBy(ctx) } });
  });
