// Entries that others add to a case: sellers say who used its address, and actions on the linked accounts are recorded.
import type { EventOf } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Context } from '../../context.ts';
import { abuseCaseWithId } from '../entities/abuse-case.ts';
import { insertAbuseEntry, openCasesOfAccount } from '../entities/abuse-entry.ts';

/** Reaction to a seller's answer: stores it as an entry, which links the account to the case. */
export async function storeUse(
  ctx: Context,
  { accountId, at, data }: EventOf<'residential_plan.use_found' | 'static_plan.use_found'>,
): Promise<void> {
  const { caseId, title, lines } = data;
  if (!(await abuseCaseWithId(ctx.em, caseId))) return;
  await insertAbuseEntry(ctx.em, { id: newId('abent', ctx.clock), caseId, at, by: null, kind: 'USE', accountId, title, lines });
}

/** Records an action on an account in every open case that the account is linked to, in the transaction of `ctx.em`. `by`: a member of staff. */
export async function recordAction(
  ctx: Context,
  { accountId, by, title }: { accountId: string; by: string | null; title: string },
): Promise<void> {
  const at = ctx.clock.now();
  for (const caseId of await openCasesOfAccount(ctx.em, accountId))
    await insertAbuseEntry(ctx.em, { id: newId('abent', ctx.clock), caseId, at, by, kind: 'DEED', accountId, title, lines: [] });
}

/** Reaction to a reset of a proxy password: recorded when support did it, not when the owner did. */
export async function noteReset(
  ctx: Context,
  { accountId, subject, data }: EventOf<'residential_plan.reset' | 'static_plan.credentials_changed'>,
): Promise<void> {
  const { by, reason } = data;
  if (accountId !== null && by !== undefined)
    await recordAction(ctx, { accountId, by, title: `Its proxy password was reset (${subject}): ${reason ?? ''}` });
}
