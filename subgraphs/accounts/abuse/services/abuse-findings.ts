// What others say that belongs to a case: sellers who used its address, and what was done to the accounts that it is about.
import type { EventOf } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Context } from '../../context.ts';
import { abuseCaseWithId } from '../entities/abuse-case.ts';
import { insertAbuseEntry, openCasesOfAccount } from '../entities/abuse-entry.ts';

/** Reaction to a seller's answer: evidence, and the account is linked to the case. */
export async function storeUse(
  ctx: Context,
  { accountId, at, data }: EventOf<'residential_plan.use_found' | 'static_plan.use_found'>,
): Promise<void> {
  const { caseId, title, lines } = data;
  if (!(await abuseCaseWithId(ctx.em, caseId))) return;
  await insertAbuseEntry(ctx.em, { id: newId('abent', ctx.clock), caseId, at, by: null, kind: 'USE', accountId, title, lines });
}

/** What was done to an account stands in every open case about it, in the transaction of `ctx.em`; `by`: a member of staff. */
export async function recordAction(
  ctx: Context,
  { accountId, by, title }: { accountId: string; by: string | null; title: string },
): Promise<void> {
  const at = ctx.clock.now();
  for (const caseId of await openCasesOfAccount(ctx.em, accountId))
    await insertAbuseEntry(ctx.em, { id: newId('abent', ctx.clock), caseId, at, by, kind: 'DEED', accountId, title, lines: [] });
}

/** Reaction to a proxy password that support has reset; what owners do themselves is no deed. */
export async function noteReset(
  ctx: Context,
  { accountId, subject, data }: EventOf<'residential_plan.reset' | 'static_plan.credentials_changed'>,
): Promise<void> {
  const { by, reason } = data;
  if (accountId !== null && by !== undefined)
    await recordAction(ctx, { accountId, by, title: `Its proxy password was reset (${subject}): ${reason ?? ''}` });
}
