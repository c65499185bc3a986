// The table residential.old_password.
import { type EntityManager, runPrepared } from '#shared/database.ts';

const KEEP = {
  name: 'old_password_keep',
  text: `insert into residential.old_password (plan_id, fingerprint, replaced_at)
    select id, password_fingerprint, $2::timestamptz from residential.plan where id = $1 on conflict do nothing`,
};
const REPLACED_AT = {
  name: 'old_password_replaced_at',
  text: 'select replaced_at from residential.old_password where plan_id = $1 and fingerprint = $2',
};

/** Remembers the password that the plan has now, before it gets another; the plan is locked. */
export const keepOldPassword = async (em: EntityManager, planId: string, now: Date): Promise<void> =>
  void (await runPrepared(em, KEEP, [planId, now.toISOString()]));

/** When this was replaced as the plan's password; undefined when it never was. */
export async function replacedAt(em: EntityManager, planId: string, fingerprint: Buffer): Promise<Date | undefined> {
  const [row] = await runPrepared<{ replaced_at: string | Date }>(em, REPLACED_AT, [planId, fingerprint]);
  return row && new Date(row.replaced_at);
}
