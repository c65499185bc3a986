// What proxy nodes need of static plans that have addresses: the addresses, and who may use them.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface PlanLinesRow {
  planId: string;
  username: string;
  passwordSealed: Buffer;
  /** Hexadecimal, the latest first. */
  oldPasswordsSealed: string[];
  status: 'ACTIVE' | 'SUSPENDED';
  accountSuspended: boolean;
  allowedAddresses: string[];
  networksAndPassword: boolean;
  /** `ip` is the address that it is let in at; null: all of them. */
  networks: { id: string; network: string; ip: string | null }[];
  /** "IP:PORT" */
  sockets: string[];
}

/** Plans that hold addresses; with `ids` only those of these. */
export async function linesOfPlans(em: EntityManager, ids: readonly string[] | undefined): Promise<PlanLinesRow[]> {
  const { rows } = await sql<PlanLinesRow>`
    select p.id as "planId", p.username, p.password_sealed as "passwordSealed", p.old_passwords_sealed as "oldPasswordsSealed", p.status, p.account_suspended as "accountSuspended", p.allowed_addresses as "allowedAddresses",
      p.networks_and_password as "networksAndPassword",
      coalesce((select json_agg(json_build_object('id', n.id, 'network', n.network::text, 'ip', host(at.ip)) order by n.created_at, n.id)
        from client_network n left join address at on at.id = n.address_id where n.plan_id = p.id), '[]') as networks,
      array_agg(host(a.ip) || ':' || a.port order by a.ip) as sockets
    from plan p join address a on a.plan_id = p.id
    where p.status in ('ACTIVE', 'SUSPENDED') ${ids ? sql`and p.id = any(${[...ids]}::text[])` : sql``}
    group by p.id`.execute(em.getKysely());
  return rows;
}
