// Queries with which tests of static read and set its tables.
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
  /** Any address that is on a plan. */
  async heldAddress() {
    const [address] = await query<{ id: string; plan_id: string }>(
      'select id, plan_id from static.address where plan_id is not null limit 1',
    );
    return address;
  },
  /** The addresses that are held for orders at `at`. */
  async ipsHeldAt(at: Date): Promise<string[]> {
    const rows = await query<{ ip: string }>('select host(ip) as ip from static.address where held_until > $1 order by ip', [at]);
    return rows.map(({ ip }) => ip);
  },
  ipsHeld: () => query<{ ip: string }>('select host(ip) as ip from static.address where hold_id is not null'),
  /** For each former address of a plan, when it can be sold again. */
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
  /** The accounts that got the event that a product is in stock again. */
  wishesNotified: () =>
    query<{ account_id: string; data: object }>(`select account_id, data from platform.event where type = 'static_stock.available'`),
  /**
   * Counts contradictions, all of which must be 0: between holders and history, plans with too few or too many addresses, and undelivered or ended
   * plans with addresses.
   */
  async contradictions(): Promise<Record<string, number> | undefined> {
    const [counts] = await query<Record<string, number>>(`
      select
        (select count(*)::int from static.address a
          full join (select * from static.tenure where ended_at is null) t on t.address_id = a.id and t.plan_id = a.plan_id
          where (a.plan_id is not null and t.plan_id is null) or a.id is null) as holders_without_history,
        (select count(*)::int from static.plan p where status in ('ACTIVE', 'SUSPENDED')
          and quantity <> (select count(*) from static.address where plan_id = p.id)) as short_or_over,
        (select count(*)::int from static.plan p join static.address a on a.plan_id = p.id
          where status in ('PENDING', 'CANCELLED', 'EXPIRED')) as held_by_unfinished`);
    return counts;
  },
  plansByStatus: (productId: string) =>
    query<{ status: string; n: number }>(
      'select status, count(*)::int as n from static.plan where product_id = $1 group by status order by status',
      [productId],
    ),
  async addressesOf(productId: string) {
    const [counts] = await query<{ addresses: number; different: number }>(
      'select count(*)::int as addresses, count(distinct ip)::int as different from static.address where product_id = $1',
      [productId],
    );
    return counts;
  },
  /** Pairs of plans that held one address at the same time. */
  overlaps: () =>
    query(`
      select from static.tenure one join static.tenure other on one.address_id = other.address_id and one.plan_id < other.plan_id
      where one.started_at < coalesce(other.ended_at, 'infinity') and other.started_at < coalesce(one.ended_at, 'infinity')`),
  /** Reserves all free addresses, of one product or of all, so that none can be sold. */
  async emptyShelf(productId?: string): Promise<void> {
    await query('update static.address set reserved_at = now() where plan_id is null and ($1::text is null or product_id = $1)', [
      productId ?? null,
    ]);
  },
  async letGoOfHeld(): Promise<void> {
    await query('update static.address set hold_id = null, held_until = null');
  },
  /** Leaves only the checks of this plan due. */
  async checkOnly(planId: string): Promise<void> {
    await query(`update static.health set next_check_at = 'infinity' where plan_id <> $1`, [planId]);
  },
  async checkAllNow(): Promise<void> {
    await query('update static.health set next_check_at = checked_at');
  },
  async fillShelf(): Promise<void> {
    await query('update static.address set reserved_at = null');
  },
  /** The IP addresses of a plan, each with the log-in for it. */
  linesOf: (planId: string) =>
    query<{ ip: string; username: string; password_sealed: Buffer }>(
      `select host(a.ip) as ip, p.username, p.password_sealed from static.plan p join static.address a on a.plan_id = p.id
       where p.id = $1 order by a.ip`,
      [planId],
    ),
  async ipsBetween(first: string, last: string): Promise<string[]> {
    const rows = await query<{ ip: string }>('select host(ip) as ip from static.address where ip between $1 and $2 order by ip', [
      first,
      last,
    ]);
    return rows.map(({ ip }) => ip);
  },
  /** Locks the addresses of a product that would be sold next, as an uncommitted purchase does. */
  async lockFree(productId: string, count: number): Promise<string[]> {
    const rows = await query<{ ip: string }>(
      `select host(ip) as ip from static.address where product_id = $1 and plan_id is null order by rests_until, id limit $2 for update`,
      [productId, count],
    );
    return rows.map(({ ip }) => ip);
  },
  /** Assigns an address to a plan, also if another plan holds it. */
  async giveTo(planId: string, ip: string): Promise<void> {
    await query('update static.address set plan_id = $1, hold_id = null, held_until = null where host(ip) = $2', [planId, ip]);
  },
  /** Adds three weeks of checks to a delivered plan: the first address has a label, the second has failed since `at` and before. */
  async addHistory(planId: string, at: Date): Promise<void> {
    await query(
      `with line as (select id, row_number() over (order by ip) as n from static.address where plan_id = $1), labelled as (
         update static.address set label = 'Checkout bot' from line where address.id = line.id and n = 1
       ), checked as (
         update static.health set checked_at = $2::timestamptz, latency_ms = 40, problem = case when n = 2 then 'WRONG_EXIT' end,
           failing_since = case when n = 2 then $2::timestamptz end from line where address_id = line.id
       ), days as (
         insert into static.health_day (address_id, plan_id, day, checks, failures, latency_ms_sum, latency_ms_max)
         select id, $1, $2::timestamptz::date - day, 144, case when n = 2 and day = 3 then 30 when day = 9 then 2 else 0 end, 5000, 90
         from line, generate_series(0, 20) as day
       )
       insert into static.outage (id, address_id, plan_id, started_at, problem) select 'out_1', id, $1, $2::timestamptz, 'WRONG_EXIT' from line where n = 2`,
      [planId, at],
    );
  },
});
