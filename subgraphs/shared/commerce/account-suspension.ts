// Accounts that support has suspended or that their owners have closed for good. Accounts publishes this, and each seller stores it in its own table
// `suspended_account`. Nothing that such an account has bought runs, whoever pays for it; new purchases are still delivered.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { EventOf } from '#platform/events.ts';
import { type KeptTable, eraseKept } from '#platform/kept-data.ts';

export type SuspensionFact = 'account.suspended' | 'account.restored' | 'account.closed';

type SuspensionReaction<Ctx> = (ctx: Ctx, event: EventOf<SuspensionFact>) => Promise<void>;

/** One reaction for all three events. When an account is closed, its rows in the tables `kept` are erased, unless they must be kept longer. */
export const onSuspensionFacts = <Ctx extends { em: EntityManager }>(
  reaction: SuspensionReaction<Ctx>,
  kept: readonly KeptTable[],
): Record<SuspensionFact, SuspensionReaction<Ctx>> => ({
  'account.suspended': reaction,
  'account.restored': reaction,
  'account.closed': async (ctx, event) => {
    await reaction(ctx, event);
    if (event.accountId !== null) await eraseKept(ctx.em, kept, event.accountId);
  },
});

/** Stores what the event says. Returns the account and whether it is suspended now; undefined when the event names no account. */
export async function storeSuspension(
  { em }: { em: EntityManager },
  { type, accountId, at }: EventOf<SuspensionFact>,
): Promise<{ accountId: string; suspended: boolean } | undefined> {
  if (accountId === null) return undefined;
  const suspended = type !== 'account.restored';
  if (suspended)
    await sql`insert into suspended_account (account_id, since) values (${accountId}, ${at}) on conflict do nothing`.execute(
      em.getKysely(),
    );
  else await sql`delete from suspended_account where account_id = ${accountId}`.execute(em.getKysely());
  return { accountId, suspended };
}

/** Whether the account is suspended: what is delivered to it must not run. */
export async function isSuspended(em: EntityManager, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from suspended_account where account_id = ${accountId}`.execute(em.getKysely());
  return rows.length > 0;
}
