// The tables residential.old_password and residential.old_password_use.
import { type EntityManager, runPrepared } from '#platform/database.ts';

const STORE = {
  name: 'old_password_store',
  text: `insert into residential.old_password (plan_id, fingerprint, replaced_at)
    select id, password_fingerprint, $2::timestamptz from residential.plan where id = $1 on conflict do nothing`,
};
const REPLACED_AT = {
  name: 'old_password_replaced_at',
  text: 'select replaced_at from residential.old_password where plan_id = $1 and fingerprint = $2',
};

/** An address that tried a password which a reset has replaced. */
export interface OldPasswordUse {
  client: string;
  tries: number;
  firstAt: Date;
  lastAt: Date;
}

const USED = {
  name: 'old_password_used',
  // Nodes may report on a plan that has been deleted meanwhile; it has no row to refer to.
  text: `insert into residential.old_password_use as u (plan_id, client, tries, first_at, last_at)
    select plan_id, client, tries, $4::timestamptz, $4::timestamptz from unnest($1::text[], $2::text[], $3::int[]) as t(plan_id, client, tries)
    where exists (select from residential.plan p where p.id = plan_id) order by plan_id, client
    on conflict (plan_id, client) do update set tries = u.tries + excluded.tries, last_at = excluded.last_at`,
};
const USES = {
  name: 'old_password_uses',
  text: 'select client, tries, first_at, last_at from residential.old_password_use where plan_id = $1 order by last_at desc, client limit $2',
};

/** Adds tries; each (plan, client) may occur once. */
export const noteOldPasswordUses = async (
  em: EntityManager,
  uses: readonly { planId: string; client: string; tries: number }[],
  now: Date,
): Promise<void> =>
  void (await runPrepared(em, USED, [
    uses.map(({ planId }) => planId),
    uses.map(({ client }) => client),
    uses.map(({ tries }) => tries),
    now.toISOString(),
  ]));

/** Addresses that tried old passwords, the latest first. */
export async function oldPasswordUses(em: EntityManager, planId: string, first: number): Promise<OldPasswordUse[]> {
  const rows = await runPrepared<{ client: string; tries: string; first_at: string; last_at: string }>(em, USES, [planId, first]);
  return rows.map((row) => ({
    client: row.client,
    tries: Number(row.tries),
    firstAt: new Date(row.first_at),
    lastAt: new Date(row.last_at),
  }));
}

/** Deletes addresses that last tried before `moment`. */
export const forgetOldPasswordUses = async (em: EntityManager, moment: Date): Promise<void> =>
  void (await runPrepared(em, { name: 'old_password_uses_forget', text: 'delete from residential.old_password_use where last_at < $1' }, [
    moment.toISOString(),
  ]));

/** Stores the plan's present password as an old one, before it is replaced. The plan must be locked. */
export const storeOldPassword = async (em: EntityManager, planId: string, now: Date): Promise<void> =>
  void (await runPrepared(em, STORE, [planId, now.toISOString()]));

/** When a password was replaced; undefined when the plan never had it. */
export async function replacedAt(em: EntityManager, planId: string, fingerprint: Buffer): Promise<Date | undefined> {
  const [row] = await runPrepared<{ replaced_at: string | Date }>(em, REPLACED_AT, [planId, fingerprint]);
  return row && new Date(row.replaced_at);
}
