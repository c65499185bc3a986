// What an owner changes of the list of networks from which a plan is used, without a password or in addition to it.
import { randomInt } from 'node:crypto';
import { checkNetworkCount, toNetwork, toNetworkNote } from '#platform/client-networks.ts';
import { accountOf, doneBy, ownerOf } from '#platform/context.ts';
import { mayReach } from '#platform/identity.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { isPublicAddress } from '#platform/public-address.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { recallLeases } from '../../leases/entities/lease.ts';
import { SESSION_NUMBERS } from '../../plans/domain/session-numbers.ts';
import { lockedPlan } from '../../plans/entities/plan.ts';
import { readPlan } from '../../plans/services/read-plans.ts';
import { type GenerateInput, checkGeneration } from '../../generation/domain/generation.ts';
import { sessionPart, targetPart } from '../../../../edge/protocol/line-username.ts';
import {
  type ClientNetwork,
  deleteNetwork,
  insertNetwork,
  networkOfAccount,
  networksOfPlan,
  notifyOfNetworks,
  setBoth,
} from '../entities/client-network.ts';
import type { Context } from '../context.ts';

export interface NetworkInput extends Pick<GenerateInput, 'targeting' | 'session' | 'sessionMinutes'> {
  network: string;
  note?: string | null | undefined;
}

/** Changes a plan's list under the plan's lock, and notifies nodes. */
const changeList = <Result>(ctx: Context, planId: string, change: (tx: Context, plan: Plan) => Promise<Result>): Promise<Result> =>
  inTransaction(ctx, async (tx) => {
    await lockedPlan(tx.em, ownerOf(ctx, planId), planId);
    const plan = await readPlan(tx, planId);
    const result = await change(tx, plan);
    await notifyOfNetworks(tx.em);
    await recallLeases(tx.em, [{ planId, epoch: plan.credentialEpoch }]);
    return result;
  });

/**
 * Adds a network. Errors: plan_not_found, parameter_invalid (not a network, too wide, private, taken by a plan already, too many of them), time_not_allowed,
 * pool_unknown, targeting_needs_country, state_unknown, city_unknown.
 */
export const addNetwork = (ctx: Context, planId: string, input: NetworkInput): Promise<Plan> =>
  changeList(ctx, planId, async (tx, plan) => {
    const network = toNetwork(input.network, tx.providers.privateNetworks ? () => true : isPublicAddress);
    const note = toNetworkNote(input.note);
    const product = tx.providers.products[plan.product];
    const { target, session, sessionMinutes } = checkGeneration({ ...input, protocol: 'HTTP', quantity: 1 }, product, ctx.viewer.kind);
    checkNetworkCount((await networksOfPlan(tx.em, planId)).length);
    const number = String(randomInt(SESSION_NUMBERS)).padStart(8, '0');
    const line = `${targetPart('', target)}${session === 'STICKY' ? sessionPart(number, sessionMinutes) : ''}`;
    const id = newId('net', tx.clock);
    const at = tx.clock.now();
    // The refusal does not tell whose network it is.
    if (!(await insertNetwork(tx.em, { id, planId, accountId: plan.accountId, network, line, note, createdAt: at })))
      throw fail('parameter_invalid', { field: 'network', reason: because('network_taken', { network }) });
    const about = { at, accountId: plan.accountId, subject: planId };
    await appendEvents(tx.em, { type: 'residential_plan.network_added', ...about, data: { planId, network, ...doneBy(tx) } });
    return plan;
  });

/** Removes a network. Nobody can log in from there any more, and nodes end what was opened by it. Errors: network_not_found. */
export async function removeNetwork(ctx: Context, id: string): Promise<Plan> {
  const found = await ownNetwork(ctx, id);
  return changeList(ctx, found.planId, async (tx, plan) => {
    const { planId, network } = await ownNetwork(tx, id);
    await deleteNetwork(tx.em, id);
    const about = { at: tx.clock.now(), accountId: plan.accountId, subject: planId };
    await appendEvents(tx.em, { type: 'residential_plan.network_removed', ...about, data: { planId, network, ...doneBy(tx) } });
    return plan;
  });
}

/** Sets whether a line needs both its password and one of the networks. Errors: plan_not_found. */
export const setLogIn = (ctx: Context, planId: string, both: boolean): Promise<Plan> =>
  changeList(ctx, planId, async (tx, plan) => {
    await setBoth(tx.em, planId, both);
    const about = { at: tx.clock.now(), accountId: plan.accountId, subject: planId };
    await appendEvents(tx.em, { type: 'residential_plan.log_in_set', ...about, data: { planId, both, ...doneBy(tx) } });
    return plan;
  });

async function ownNetwork(ctx: Context, id: string): Promise<ClientNetwork> {
  const found = await networkOfAccount(ctx.em, accountOf(ctx), id);
  if (!found || !mayReach(ctx.viewer, found.planId)) throw fail('network_not_found');
  return found;
}
