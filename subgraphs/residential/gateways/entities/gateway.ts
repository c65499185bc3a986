// The tables residential.gateway, gateway_day and gateway_bill.
import { type EntityManager, runStatement } from '#platform/database.ts';

/** The channel on which every change of a gateway is notified. */
export const GATEWAY_CHANNEL = 'egress_gateways';

export interface GatewayRow {
  id: string;
  settings: object;
  credentialsSealed: Buffer;
  enabled: boolean;
  costPerGbMinor: number;
  monthlyCapMinor: number | null;
  changedAt: Date;
  /** Bytes since the first day of the month. */
  monthBytes: bigint;
}

/** All gateways, or the one with this id, ordered by id. `monthBegins`: the first day that counts for the month. */
export async function gatewayRows(em: EntityManager, monthBegins: string, id?: string): Promise<GatewayRow[]> {
  const rows = await runStatement<{
    id: string;
    settings: object;
    credentials_sealed: Buffer;
    enabled: boolean;
    cost_per_gb_minor: number;
    monthly_cap_minor: string | null;
    changed_at: Date;
    month_bytes: string;
  }>(
    em,
    `select g.id, g.settings, g.credentials_sealed, g.enabled, g.cost_per_gb_minor, g.monthly_cap_minor, g.changed_at,
       coalesce((select sum(d.up_bytes + d.down_bytes) from residential.gateway_day d where d.gateway_id = g.id and d.day >= $1::date), 0) as month_bytes
     from residential.gateway g where $2::text is null or g.id = $2 order by g.id`,
    [monthBegins, id ?? null],
  );
  return rows.map((row) => ({
    id: row.id,
    settings: row.settings,
    credentialsSealed: row.credentials_sealed,
    enabled: row.enabled,
    costPerGbMinor: row.cost_per_gb_minor,
    monthlyCapMinor: row.monthly_cap_minor === null ? null : Number(row.monthly_cap_minor),
    changedAt: new Date(row.changed_at),
    monthBytes: BigInt(row.month_bytes),
  }));
}

export async function saveGateway(em: EntityManager, row: Omit<GatewayRow, 'monthBytes' | 'changedAt'>, now: Date): Promise<void> {
  await runStatement(
    em,
    `insert into residential.gateway (id, settings, credentials_sealed, enabled, cost_per_gb_minor, monthly_cap_minor, created_at, changed_at)
     values ($1, $2::jsonb, $3, $4, $5, $6, $7, $7)
     on conflict (id) do update set settings = excluded.settings, credentials_sealed = excluded.credentials_sealed, enabled = excluded.enabled,
       cost_per_gb_minor = excluded.cost_per_gb_minor, monthly_cap_minor = excluded.monthly_cap_minor, changed_at = excluded.changed_at`,
    [row.id, JSON.stringify(row.settings), row.credentialsSealed, row.enabled, row.costPerGbMinor, row.monthlyCapMinor, now.toISOString()],
  );
}

/** Returns whether there was such a gateway. Its days and bills stay. */
export const deleteGateway = async (em: EntityManager, id: string): Promise<boolean> =>
  (await runStatement(em, 'delete from residential.gateway where id = $1 returning id', [id])).length === 1;

/** Notifies listeners of a change; the notice goes out when the transaction commits. */
export const notifyOfGateways = (em: EntityManager): Promise<unknown> => runStatement(em, `select pg_notify('${GATEWAY_CHANNEL}', '')`, []);

export interface GatewayBytes {
  gatewayId: string;
  day: string;
  upBytes: bigint;
  downBytes: bigint;
}

/** Adds bytes to the days of exits that are gateways and ignores other exits. Returns the ids of enabled gateways with a cap. */
export async function addGatewayBytes(em: EntityManager, bytes: readonly GatewayBytes[]): Promise<string[]> {
  const rows = await runStatement<{ id: string }>(
    em,
    `with added as (
       insert into residential.gateway_day as d (gateway_id, day, up_bytes, down_bytes)
       select u.id, u.day::date, u.up, u.down from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as u(id, day, up, down)
       join residential.gateway g on g.id = u.id order by u.id, u.day
       on conflict (gateway_id, day) do update set up_bytes = d.up_bytes + excluded.up_bytes, down_bytes = d.down_bytes + excluded.down_bytes
       returning gateway_id)
     select distinct g.id from added join residential.gateway g on g.id = added.gateway_id where g.monthly_cap_minor is not null and g.enabled`,
    [
      bytes.map(({ gatewayId }) => gatewayId),
      bytes.map(({ day }) => day),
      bytes.map(({ upBytes }) => String(upBytes)),
      bytes.map(({ downBytes }) => String(downBytes)),
    ],
  );
  return rows.map(({ id }) => id);
}

export interface GatewayDay {
  day: string;
  upBytes: bigint;
  downBytes: bigint;
}

/** Days with traffic since `first`, the latest first. */
export async function gatewayDays(em: EntityManager, id: string, first: string): Promise<GatewayDay[]> {
  const rows = await runStatement<{ day: string; up_bytes: string; down_bytes: string }>(
    em,
    `select to_char(day, 'YYYY-MM-DD') as day, up_bytes, down_bytes from residential.gateway_day where gateway_id = $1 and day >= $2::date order by day desc`,
    [id, first],
  );
  return rows.map((row) => ({ day: row.day, upBytes: BigInt(row.up_bytes), downBytes: BigInt(row.down_bytes) }));
}

export interface GatewayBill {
  id: string;
  gatewayId: string;
  firstDay: string;
  lastDay: string;
  billedBytes: bigint;
  amountMinor: number;
  /** Bytes that we counted on the same days. */
  countedBytes: bigint;
}

export async function insertGatewayBill(em: EntityManager, bill: Omit<GatewayBill, 'countedBytes'>, now: Date): Promise<void> {
  await runStatement(
    em,
    `insert into residential.gateway_bill (id, gateway_id, first_day, last_day, billed_bytes, amount_minor, noted_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [bill.id, bill.gatewayId, bill.firstDay, bill.lastDay, String(bill.billedBytes), bill.amountMinor, now.toISOString()],
  );
}

/** The bills of a gateway, the latest first. */
export async function gatewayBills(em: EntityManager, gatewayId: string, limit: number): Promise<GatewayBill[]> {
  const rows = await runStatement<{
    id: string;
    first_day: string;
    last_day: string;
    billed_bytes: string;
    amount_minor: string;
    counted: string;
  }>(
    em,
    `select b.id, to_char(b.first_day, 'YYYY-MM-DD') as first_day, to_char(b.last_day, 'YYYY-MM-DD') as last_day, b.billed_bytes, b.amount_minor,
       coalesce((select sum(d.up_bytes + d.down_bytes) from residential.gateway_day d
         where d.gateway_id = b.gateway_id and d.day between b.first_day and b.last_day), 0) as counted
     from residential.gateway_bill b where b.gateway_id = $1 order by b.first_day desc, b.noted_at desc limit $2`,
    [gatewayId, limit],
  );
  return rows.map((row) => ({
    id: row.id,
    gatewayId,
    firstDay: row.first_day,
    lastDay: row.last_day,
    billedBytes: BigInt(row.billed_bytes),
    amountMinor: Number(row.amount_minor),
    countedBytes: BigInt(row.counted),
  }));
}
