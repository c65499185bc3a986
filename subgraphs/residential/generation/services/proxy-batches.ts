// Batches after their generation: listed, read again byte for byte, and published at an address that tools fetch.
import { accountOf } from '#platform/context.ts';
import { mayReach } from '#platform/identity.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { isId } from '#platform/ids.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { requireAction } from '../../plans/domain/plan-actions.ts';
import { plansById } from '../../plans/entities/plan.ts';
import { type StoredBatch, batchOfAddress, batchesOfPlan, ownBatch, setAddress } from '../entities/proxy-batch.ts';
import type { Context } from '../context.ts';
import { type GeneratedBatch, batchText } from './generate-proxies.ts';

const MAX_FIRST = 100;

/** Batches of a plan that the viewer may see. Throws `parameter_invalid`. */
export function listBatches(
  { em }: Context,
  plan: Plan,
  { first, after }: { first: number; after?: string | null | undefined },
): Promise<StoredBatch[]> {
  if (first < 1 || first > MAX_FIRST)
    throw fail('parameter_invalid', { field: 'first', reason: because('number_out_of_range', { name: 'first', max: MAX_FIRST }) });
  return batchesOfPlan(em, plan.id, first, after ?? undefined);
}

/** Why the lines of a batch no longer work; null: their password is still valid. */
export const outdated = ({ epoch, planEpoch }: StoredBatch): string | null =>
  epoch === planEpoch ? null : 'Proxy authentication was reset after these lines were generated.';

async function requireOwn(ctx: Context, id: string): Promise<StoredBatch> {
  const batch = isId('batch', id) ? await ownBatch(ctx.em, accountOf(ctx), id) : undefined;
  if (!batch || !mayReach(ctx.viewer, batch.planId)) throw fail('batch_not_found');
  return batch;
}

/** The text of a batch as it was first given. Throws `batch_outdated`, `plan_expired`, `account_suspended`. */
async function textOf(ctx: Context, batch: StoredBatch): Promise<string> {
  const [plan] = await plansById(ctx.em, [batch.planId], ctx.clock.now());
  if (!plan) throw fail('plan_not_found');
  if (plan.accountSuspended) throw fail('account_suspended');
  requireAction('generate', plan, ctx.providers.products[plan.product]);
  // The plan was read after the batch: if a reset came between the two reads, the old session numbers must not be shown with the new password.
  if (batch.epoch !== plan.credentialEpoch) throw fail('batch_outdated');
  return batchText(ctx, plan, { ...batch, passwordSealed: plan.passwordSealed });
}

/** Throws `batch_not_found`, `batch_outdated`, `plan_expired`. */
export async function fetchBatch(ctx: Context, id: string): Promise<GeneratedBatch> {
  const batch = await requireOwn(ctx, id);
  return { id, count: batch.count, text: await textOf(ctx, batch) };
}

export interface BatchAddress {
  url: string;
  batch: StoredBatch;
}

/** Makes an address at which anybody can read the lines with their password, until it is revoked. Throws what `fetchBatch` throws. */
export async function makeAddress(ctx: Context, id: string): Promise<BatchAddress> {
  const batch = await requireOwn(ctx, id);
  await textOf(ctx, batch);
  const token = newToken();
  const madeAt = ctx.clock.now();
  await change(ctx, batch, 'proxy_batch.address_made', { hash: hashToken(token), madeAt });
  return { url: `${ctx.providers.publicUrl}/lists/${token}.txt`, batch: { ...batch, addressMadeAt: madeAt } };
}

/** Revokes the address of a batch; does nothing for a batch without one. Throws `batch_not_found`. */
export async function revokeAddress(ctx: Context, id: string): Promise<StoredBatch> {
  const batch = await requireOwn(ctx, id);
  if (batch.addressMadeAt) await change(ctx, batch, 'proxy_batch.address_revoked', null);
  return { ...batch, addressMadeAt: null };
}

const change = (
  ctx: Context,
  batch: StoredBatch,
  type: 'proxy_batch.address_made' | 'proxy_batch.address_revoked',
  address: { hash: string; madeAt: Date } | null,
): Promise<void> =>
  inTransaction(ctx, async ({ em, clock }) => {
    await setAddress(em, batch.id, address);
    await appendEvents(em, { type, at: clock.now(), accountId: batch.accountId, subject: batch.id, data: { planId: batch.planId } });
  });

/** The text of the batch that has this address. Throws `list_not_found`, `batch_outdated`, `plan_expired`. */
export async function readList(ctx: Context, token: string): Promise<{ text: string }> {
  const batch = await batchOfAddress(ctx.em, hashToken(token));
  if (!batch) throw fail('list_not_found');
  return { text: await textOf(ctx, batch) };
}
