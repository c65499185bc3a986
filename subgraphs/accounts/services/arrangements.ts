// What sales has agreed with a customer, written down where both see it. A record for people: prices and limits of the catalogue stay what they are, and support acts
// on it by an offer, a credit or a refund. Spec, What the service does: custom volumes, plans and SLAs are arranged through sales.
import { inTransaction } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { Arrangement, type ArrangementKind } from '../entities/arrangement.ts';
import type { Context } from '../providers.ts';
import { record } from './activity.ts';
import { accountFor } from './support.ts';

const LONGEST_TERMS = 4_000;

/** Errors: account_not_found, parameter_invalid. */
export function recordArrangement(
  ctx: Context,
  input: { accountId: string; kind: ArrangementKind; terms: string; validUntil?: Date | null | undefined },
): Promise<Arrangement> {
  const terms = input.terms.trim();
  const now = ctx.clock.now();
  if (terms === '' || terms.length > LONGEST_TERMS)
    throw fail('parameter_invalid', { field: 'terms', reason: `The terms have 1 to ${LONGEST_TERMS} characters.` });
  if (input.validUntil && input.validUntil <= now)
    throw fail('parameter_invalid', { field: 'validUntil', reason: 'validUntil has passed.' });
  return inTransaction(ctx, async (tx) => {
    const { id: accountId } = await accountFor(tx, input.accountId);
    const id = newId('ask', ctx.clock);
    await tx.em.insert(Arrangement, {
      id,
      accountId,
      kind: input.kind,
      terms,
      recordedAt: now,
      validUntil: input.validUntil ?? null,
      endedAt: null,
    });
    await record(tx, { type: 'arrangement.recorded', accountId, subject: id, data: { kind: input.kind } });
    return tx.em.findOneOrFail(Arrangement, { id });
  });
}

/** Errors: request_not_found (none, or one that has ended). */
export const endArrangement = (ctx: Context, id: string): Promise<Arrangement> =>
  inTransaction(ctx, async (tx) => {
    const arrangement = await tx.em.findOne(Arrangement, { id, endedAt: null });
    if (!arrangement) throw fail('request_not_found');
    arrangement.endedAt = ctx.clock.now();
    await record(tx, { type: 'arrangement.ended', accountId: arrangement.accountId, subject: id, data: { kind: arrangement.kind } });
    return arrangement;
  });
