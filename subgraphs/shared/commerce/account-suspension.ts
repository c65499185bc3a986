// Which accounts support has suspended, or their owners have closed for good, as accounts publishes it and each seller stores it (table `suspended_account` of its
// schema): nothing that such an account has bought runs, whoever pays for it, and what it buys is delivered still.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { EventOf } from '#platform/events.ts';
import { type KeptTable, eraseKept } from '#platform/kept-data.ts';

export type SuspensionFact = 'account.suspended' | 'account.restored' | 'account.closed';

type SuspensionReaction<Ctx> = (ctx: Ctx, event: EventOf<SuspensionFact>) => Promise<void>;

/** One reaction for all of them; of `kept`, what is not kept longer goes with a closed account. */
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

/** Stores what the event says; answers with the account, and whether it is suspended now. Undefined: it is about none. */
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

/** Whether what is delivered to the account now is not to run. */
export async function isSuspended(em: EntityManager, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from suspended_account where account_id = ${accountId}`.execute(em.getKysely());
  return rows.length > 0;
}
