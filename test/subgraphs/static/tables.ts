// What tests of static read and set in its tables.
import { rowOf, rowsOf, type Query } from '../../kit/tables.ts';

export interface PlanRow {
  id: string;
  order_id: string;
  subscription_id: string;
  status: string;
  quantity: number;
  period_end: Date;
  cancel_at_period_end: boolean;
  billing_version: number;
}

export const staticTables = (query: Query) => ({
  planOf: (orderId: string) => rowOf<PlanRow>(query, 'static.plan', { order_id: orderId }),
  plan: (id: string) => rowOf<PlanRow>(query, 'static.plan', { id }),
  async ipsOf(planId: string): Promise<string[]> {
    const rows = await query<{ ip: string }>('select host(ip) as ip from static.address where plan_id = $1 order by ip', [planId]);
    return rows.map(({ ip }) => ip);
  },
  /** Addresses that are held at this moment. */
  async ipsHeldAt(at: Date): Promise<string[]> {
    const rows = await query<{ ip: string }>('select host(ip) as ip from static.address where held_until > $1 order by ip', [at]);
    return rows.map(({ ip }) => ip);
  },
  ipsHeld: () => query<{ ip: string }>('select host(ip) as ip from static.address where hold_id is not null'),
  /** Addresses that were of this plan, and when they can be sold again. */
  restingOf: (planId: string) =>
    query<{ rests_until: Date }>(
      `select rests_until from static.address join static.tenure on tenure.address_id = address.id
       where tenure.plan_id = $1 and address.plan_id is null`,
      [planId],
    ),
  labelsOfNobody: () => query('select label from static.address where label is not null and plan_id is null'),
  notesOfReserved: (ip: string) =>
    query<{ note: string }>('select note from static.address where host(ip) = $1 and reserved_at is not null', [ip]),
  holds: (where: { order_id?: string } = {}) => rowsOf(query, 'static.hold', where),
  /** Who was told that there is enough again. */
  wishesTold: () =>
    query<{ account_id: string; data: object }>(`select account_id, data from platform.event where type = 'static_stock.available'`),
  /** Nothing that is free can be sold any more, of one product or of all. */
  async emptyShelf(productId?: string): Promise<void> {
    await query('update static.address set reserved_at = now() where plan_id is null and ($1::text is null or product_id = $1)', [
      productId ?? null,
    ]);
  },
  async letGoOfHeld(): Promise<void> {
    await query('update static.address set hold_id = null, held_until = null');
  },
  /** No check is due any more but those of this plan. */
  async checkOnly(planId: string): Promise<void> {
    await query(`update static.health set next_check_at = 'infinity' where plan_id <> $1`, [planId]);
  },
  async checkAllNow(): Promise<void> {
    await query('update static.health set next_check_at = checked_at');
  },
  async fillShelf(): Promise<void> {
    await query('update static.address set reserved_at = null');
  },
});
