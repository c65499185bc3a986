// What happens when an order of ours is paid, and when it is refunded before we delivered it.
import { CompiledQuery } from 'kysely';
import { z } from 'zod';
import type { EntityManager } from '#platform/database.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { PRODUCT_CODES } from '../../../../edge/protocol/product.ts';
import { tellFiguresChanged } from '../../metering/entities/usage-ledger.ts';
import type { Context } from '../../providers.ts';
import { grantPlan } from './grant-plan.ts';

/** What `pricePackage` put into the signed offer. */
const fulfilment = z.object({
  product: z.enum(PRODUCT_CODES),
  bytes: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .transform(BigInt),
});

const isOurs = ({ data }: EventOf<'order.paid' | 'order.refunded'>): boolean => data.seller === 'residential';

const run = async <Row>(em: EntityManager, text: string, values: readonly unknown[]): Promise<Row[]> =>
  (await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;

/** Reaction to `order.paid`: delivers the plan. Orders of other sellers are none of ours, and one that was refunded while we were away gets nothing. */
export async function fulfilOrder(ctx: Context, event: EventOf<'order.paid'>): Promise<void> {
  const { accountId } = event;
  if (!isOurs(event) || accountId === null) return;
  const refunded = await run(ctx.em, `select from platform.event where subject = $1 and type = 'order.refunded' limit 1`, [event.subject]);
  if (refunded.length > 0) return;
  const { product, bytes } = fulfilment.parse(event.data.fulfil);
  await grantPlan(ctx, { accountId, product, bytes, orderId: event.subject });
}

/** A package that nothing was done with yet leaves nothing behind; of another one only what was used remains. */
const UNTOUCHED = `
  delete from residential.plan p where p.id = $1 and p.up_bytes + p.down_bytes = 0
    and not exists (select from residential.lease where plan_id = p.id) and not exists (select from residential.proxy_batch where plan_id = p.id)
    and not exists (select from residential.old_password where plan_id = p.id) returning p.id`;
const TOUCHED = 'update residential.plan set total_bytes = greatest(up_bytes + down_bytes, 1) where id = $1';

/** Reaction to `order.refunded`, which tells of whole refunds before delivery: a plan that was made in the same moment is taken back. */
export async function withdrawOrder(ctx: Context, event: EventOf<'order.refunded'>): Promise<void> {
  if (!isOurs(event) || event.accountId === null) return;
  const [plan] = await run<{ id: string; account_id: string }>(
    ctx.em,
    'select id, account_id from residential.plan where order_id = $1 for update',
    [event.subject],
  );
  if (!plan) return;
  const { id, account_id: accountId } = plan;
  if ((await run(ctx.em, UNTOUCHED, [id])).length === 0) await run(ctx.em, TOUCHED, [id]);
  await appendEvents(ctx.em, {
    type: 'residential_plan.withdrawn',
    at: ctx.clock.now(),
    accountId,
    subject: id,
    data: { orderId: event.subject, planId: id },
  });
  await tellFiguresChanged(ctx.em, { id, accountId });
}
