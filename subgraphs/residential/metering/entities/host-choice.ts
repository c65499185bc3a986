// The table residential.host_choice. Metering reads it with the plans that it locks (`plans/entities/plan.ts`).
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { HostsKept } from '../../plans/domain/hosts-kept.ts';

export interface HostChoice {
  kept: HostsKept;
  chosenAt: Date;
}

/** Undefined: the account has not chosen. */
export async function hostChoiceOf(em: EntityManager, accountId: string): Promise<HostChoice | undefined> {
  const [row] = await runStatement<{ hosts_kept: HostsKept; chosen_at: string | Date }>(
    em,
    'select hosts_kept, chosen_at from residential.host_choice where account_id = $1',
    [accountId],
  );
  return row && { kept: row.hosts_kept, chosenAt: new Date(row.chosen_at) };
}

/** Stores a choice. False: it was chosen already, and nothing has changed. */
export async function saveHostChoice(em: EntityManager, accountId: string, kept: HostsKept, now: Date): Promise<boolean> {
  const rows = await runStatement(
    em,
    `insert into residential.host_choice as c (account_id, hosts_kept, chosen_at) values ($1, $2, $3::timestamptz)
     on conflict (account_id) do update set hosts_kept = excluded.hosts_kept, chosen_at = excluded.chosen_at where c.hosts_kept <> excluded.hosts_kept returning account_id`,
    [accountId, kept, now.toISOString()],
  );
  return rows.length > 0;
}
