// Exchanges of addresses that do not work well: prepared, which holds exactly the addresses that would come, and then done, once.
import { MINUTE, after, monthStart } from '#platform/clock.ts';
import { ownerOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { requirePlanAction } from '../../plans/domain/plan-actions.ts';
import { MAX_REPLACED, type ReplacementAsker, type ReplacementReason, allowedReplacements, pairUp } from '../domain/replacement.ts';
import { releaseAddresses, takeAddresses } from '../../inventory/entities/address.ts';
import { watchAddressesOf } from '../../health/entities/health.ts';
import { type PlanAddress, addressesOfPlans } from '../../plans/entities/plan-address.ts';
import { moveNetworks } from '../../plans/entities/plan-network.ts';
import {
  type Replacement,
  countedReplacements,
  finishReplacement,
  insertReplacement,
  preparedReplacements,
  replacementById,
} from '../entities/replacement.ts';
import { dropHolds, heldAddresses, holdAddresses, lockHeldAddresses } from '../../inventory/entities/stock-hold.ts';
import { type StaticPlan, lockPlan, lockPlanOf } from '../../plans/entities/static-plan.ts';
import type { PlansContext } from '../../plans/context.ts';
import { outOfStock } from '../../inventory/services/hold-stock.ts';
import { OutOfStock, withStock } from '../../inventory/services/with-stock.ts';

/** Spec is silent: a prepared exchange is valid for as long as an offer. */
const PREPARED_MS = 15 * MINUTE;

export interface ReplacementWish {
  id: string;
  /** IP addresses of the plan. */
  addresses: readonly string[];
  reason: ReplacementReason;
}

/** Prepares an exchange for the owner to confirm. Errors: plan_not_found, action_not_allowed, parameter_invalid, replacements_used_up, out_of_stock. */
export async function prepareReplacement(ctx: PlansContext, { id, addresses, reason }: ReplacementWish): Promise<Replacement> {
  const accountId = ownerOf(ctx, id);
  const prepared = await withStock((wait) =>
    inTransaction(ctx, async (tx) => {
      const plan = await lockPlanOf(tx.em, accountId, id);
      requirePlanAction('replace', plan, tx.clock.now());
      const going = await linesToGo(tx, plan, addresses);
      const counted = reason === 'FAILING' ? 0 : going.length;
      if (reason === 'FAILING') mustFail(going);
      else await mustBeAllowed(tx, plan, counted);
      return prepareIn(tx, plan, going, { reason, askedBy: 'OWNER', counted, wait });
    }),
  );
  if (!prepared) throw outOfStock(0);
  return prepared;
}

async function linesToGo({ em }: PlansContext, plan: StaticPlan, addresses: readonly string[]): Promise<PlanAddress[]> {
  const wanted = new Set(addresses);
  const lines = (await addressesOfPlans(em, [plan.id])).filter(({ ip }) => wanted.has(ip));
  if (lines.length === 0 || lines.length < wanted.size)
    throw fail('parameter_invalid', { field: 'addresses', reason: because('addresses_of_others') });
  if (lines.length > MAX_REPLACED)
    throw fail('parameter_invalid', { field: 'addresses', reason: because('exchange_too_large', { max: MAX_REPLACED }) });
  return lines;
}

function mustFail(lines: readonly PlanAddress[]): void {
  const working = lines.find(({ failingSince }) => failingSince === null);
  if (working)
    throw fail('parameter_invalid', {
      field: 'reason',
      reason: because('address_works', { ip: working.ip }),
    });
}

async function mustBeAllowed({ em, clock }: PlansContext, plan: StaticPlan, counted: number): Promise<void> {
  const used = (await countedReplacements(em, [plan.id], monthStart(clock.now()))).get(plan.id) ?? 0;
  const left = Math.max(0, allowedReplacements(plan.quantity) - used);
  if (counted > left)
    throw fail('replacements_used_up', {
      reason: left === 0 ? because('exchanges_used_up') : because('exchanges_left', { left }),
    });
}

interface Terms {
  reason: ReplacementReason;
  askedBy: ReplacementAsker;
  counted: number;
  wait: boolean;
}

/** Prepares an exchange; the plan must be locked. An earlier prepared exchange of the plan is dropped. Throws OutOfStock. */
async function prepareIn(
  { em, clock }: PlansContext,
  plan: StaticPlan,
  going: readonly PlanAddress[],
  { wait, ...terms }: Terms,
): Promise<Replacement> {
  const at = clock.now();
  const id = newId('swap', clock);
  await dropHolds(em, await preparedReplacements(em, plan.id));
  const { id: planId, accountId, productId } = plan;
  const locations = [...new Set(going.map(({ location }) => location))];
  const quantity = going.length;
  if ((await holdAddresses(em, { id, accountId, productId, quantity, at, until: after(at, PREPARED_MS), wait, locations })) < quantity)
    throw new OutOfStock();
  const pairs = pairUp(
    going.map((line) => ({ ...line, id: line.addressId })),
    await heldAddresses(em, id),
  );
  await insertReplacement(
    em,
    { ...terms, id, planId, createdAt: at },
    pairs.map(({ gone, came }) => ({ goneId: gone.id, cameId: came.id })),
  );
  const made = await replacementById(em, id);
  if (!made) throw new Error(`no replacement ${id}`);
  return made;
}

/** Does an exchange that the owner has prepared; one that is done already is returned unchanged. Errors: plan_not_found, action_not_allowed, replacement_expired. */
export const confirmReplacement = (ctx: PlansContext, id: string): Promise<Replacement> => inTransaction(ctx, (tx) => confirmIn(tx, id));

async function confirmIn(tx: PlansContext, id: string): Promise<Replacement> {
  const found = await replacementById(tx.em, id);
  if (!found) throw fail('plan_not_found');
  const plan = await lockPlanOf(tx.em, ownerOf(tx, found.planId), found.planId);
  const replacement = await replacementById(tx.em, id);
  if (!replacement || replacement.doneAt) return replacement ?? found;
  requirePlanAction('replace', plan, tx.clock.now());
  if (replacement.counted > 0) await mustBeAllowed(tx, plan, replacement.counted);
  return doIn(tx, plan, replacement);
}

/** Does an exchange; the plan must be locked. Errors: replacement_expired, also when one of its addresses has been taken or given back meanwhile. */
async function doIn(
  { em, clock, providers }: PlansContext,
  plan: StaticPlan,
  { id, pairs, reason, askedBy, expiresAt }: Replacement,
): Promise<Replacement> {
  const at = clock.now();
  const addressIds = pairs.map(({ goneId }) => goneId);
  const lines = (await addressesOfPlans(em, [plan.id])).filter(({ addressId }) => addressIds.includes(addressId));
  // A buyer whose process has a clock past the hold's end may be taking them at this moment, so they are locked.
  const held = await lockHeldAddresses(em, id);
  if (!expiresAt || expiresAt <= at || lines.length < pairs.length || held < pairs.length) throw fail('replacement_expired');
  await moveNetworks(em, pairs);
  const reserveWith = reason === 'FAILING' ? 'Failed its checks, and was replaced.' : undefined;
  await releaseAddresses(em, {
    planId: plan.id,
    at,
    restsUntil: after(at, providers.restMs),
    addressIds,
    ...(reserveWith && { reserveWith }),
  });
  const { productId, id: planId } = plan;
  await takeAddresses(em, { productId, planId, quantity: pairs.length, at, wait: true, holdId: id });
  await dropHolds(em, [id]);
  await finishReplacement(em, id, new Map(lines.flatMap(({ addressId, label }) => (label === null ? [] : [[addressId, label]]))), at);
  await watchAddressesOf(em, planId, at);
  const data = { askedBy, reason, pairs: pairs.map(({ gone, came }) => ({ gone, came })) };
  await appendEvents(em, { type: 'static_plan.replaced', at, accountId: plan.accountId, subject: planId, data });
  const done = await replacementById(em, id);
  if (!done) throw new Error(`no replacement ${id}`);
  return done;
}

export type NowReplaced = Replacement | 'out_of_stock' | 'not_possible';

/** Replaces addresses at once, without the owner; nothing counts against the allowance. Addresses that the plan no longer holds are left out. */
export async function replaceNow(
  ctx: PlansContext,
  {
    planId,
    addressIds,
    reason,
    askedBy,
  }: { planId: string; addressIds: readonly string[]; reason: ReplacementReason; askedBy: 'SUPPORT' | 'PLATFORM' },
): Promise<NowReplaced> {
  const replaced = await withStock((wait) =>
    inTransaction(ctx, async (tx): Promise<NowReplaced> => {
      const plan = await lockPlan(tx.em, { id: planId });
      if (plan?.status !== 'ACTIVE' && plan?.status !== 'SUSPENDED') return 'not_possible';
      const going = (await addressesOfPlans(tx.em, [planId])).filter(({ addressId }) => addressIds.includes(addressId));
      if (going.length === 0) return 'not_possible';
      return doIn(tx, plan, await prepareIn(tx, plan, going, { reason, askedBy, counted: 0, wait }));
    }),
  );
  return replaced ?? 'out_of_stock';
}
