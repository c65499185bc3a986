// The table compute.firewall: the rules of each server as its owner wants them. Each change has a version; beside it is the version that the hypervisor (VPS)
// or the router (dedicated server) has.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { FirewallRule } from '../domain/firewall.ts';
import type { ServerRow } from '../../servers/entities/server.ts';

export interface FirewallRow {
  serverId: string;
  enabled: boolean;
  rules: FirewallRule[];
  version: number;
  appliedVersion: number;
  trouble: string | null;
  /** For a dedicated server: the number of the router's rule for its address. */
  borderRule: number | null;
}

const FIREWALLS = sql`
  select firewall.server_id as "serverId", enabled, rules, version, applied_version as "appliedVersion", trouble, border_rule as "borderRule"
  from firewall left join address using (ip)`;

export async function firewallOf(em: EntityManager, serverId: string): Promise<FirewallRow | undefined> {
  const { rows } = await sql<FirewallRow>`${FIREWALLS} where firewall.server_id = ${serverId}`.execute(em.getKysely());
  return rows[0];
}

export async function wishFirewall(
  em: EntityManager,
  { serverId, enabled, rules, ip }: Pick<FirewallRow, 'serverId' | 'enabled' | 'rules'> & { ip: string | null },
  at: Date,
): Promise<void> {
  const value = JSON.stringify(rules);
  await sql`insert into firewall (server_id, enabled, rules, ip, next_at) values (${serverId}, ${enabled}, ${value}::jsonb, ${ip}::inet, ${at}::timestamptz)
    on conflict (server_id) do update set enabled = excluded.enabled, rules = excluded.rules, ip = excluded.ip, version = firewall.version + 1,
      trouble = null, next_at = excluded.next_at`.execute(em.getKysely());
}

/** Gives the rules a new version, so that they are set again on a machine that was reinstalled or replaced and has none. */
export async function wishFirewallAgain(em: EntityManager, serverId: string, at: Date): Promise<void> {
  await sql`update firewall set version = version + 1, next_at = ${at}::timestamptz where server_id = ${serverId}`.execute(em.getKysely());
}

/** Removes all rules of a server that ends. Returns false when it had none. */
export async function wishNoFirewall(em: EntityManager, serverId: string, at: Date): Promise<boolean> {
  const { rows } =
    await sql`update firewall set enabled = false, rules = '[]', version = version + 1, trouble = null, next_at = ${at}::timestamptz
    where server_id = ${serverId} and (enabled or rules <> '[]') returning server_id`.execute(em.getKysely());
  return rows.length > 0;
}

/** Servers of these kinds whose rules must be set now. A VPS waits until no operation runs on it; the router is set in any case. */
export async function dueFirewalls(em: EntityManager, kinds: readonly ServerRow['kind'][], at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ serverId: string }>`
    select server_id as "serverId" from firewall join server on server.id = server_id
    where applied_version < version and next_at <= ${at}::timestamptz and kind = any(${kinds}::text[]) and (
      kind = 'DEDICATED' and ip is not null or machine_number is not null and status in ('ACTIVE', 'SUSPENDED')
        and not exists (select from operation where operation.server_id = server.id and operation.status = 'RUNNING')
    )
    order by next_at limit ${limit}`.execute(em.getKysely());
  return rows.map(({ serverId }) => serverId);
}

/**
 * Stores the result of setting a version: it is applied, or there was trouble and it is tried again at `nextAt`. A process that was slow may have set an older
 * version over a newer one; that then counts as applied, so the newer one is due again.
 */
export async function noteFirewall(
  em: EntityManager,
  { serverId, version }: Pick<FirewallRow, 'serverId' | 'version'>,
  outcome: { applied: true } | { trouble: string; nextAt: Date },
): Promise<void> {
  if ('applied' in outcome)
    await sql`update firewall set applied_version = ${version}, trouble = null where server_id = ${serverId}`.execute(em.getKysely());
  else
    await sql`update firewall set trouble = ${outcome.trouble}, next_at = ${outcome.nextAt}::timestamptz
      where server_id = ${serverId} and version = ${version}`.execute(em.getKysely());
}
