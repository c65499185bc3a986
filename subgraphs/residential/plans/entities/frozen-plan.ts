// A plan is frozen while the payment of any of its orders, the first or a top-up, is disputed.
import { type EntityManager, runStatement } from '#platform/database.ts';

/** Freezes or unfreezes one order of a plan. The plan runs again only when no other order of it is disputed and its account is not suspended. Nodes are notified by a trigger. */
export async function markFrozen(
  em: EntityManager,
  { planId, orderId }: { planId: string; orderId: string },
  frozen: boolean,
): Promise<void> {
  await runStatement(em, 'select from residential.plan where id = $1 for no key update', [planId]);
  await runStatement(em, 'update residential.top_up set frozen = $2 where order_id = $1', [orderId, frozen]);
  await runStatement(em, 'update residential.plan set own_order_frozen = $2 where order_id = $1', [orderId, frozen]);
  await runStatement(
    em,
    `update residential.plan as p set frozen = now.frozen,
       account_suspended = now.frozen or exists (select from residential.suspended_account s where s.account_id = p.account_id)
     from (select o.id, o.own_order_frozen or exists (select from residential.top_up t where t.plan_id = o.id and t.frozen) as frozen
       from residential.plan o where o.id = $1) as now
     where p.id = now.id and p.frozen <> now.frozen`,
    [planId],
  );
}
