// Checks the VAT ids of accounts. A job asks the register, outside of any transaction: whoever enters an id does not wait for the answer, and pays tax until it
// has come.
import { DAY, HOUR, MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import { sellsWithTax } from '#commerce/tax.ts';
import { lockMoneyOf } from '../../../identity/entities/account.ts';
import { record } from '../../../identity/services/activity.ts';
import type { TaxContext } from '../context.ts';
import { detailsOfAccount } from '../entities/billing-details.ts';
import { splitVatId } from '../domain/vat-id.ts';
import { insertVatIdCheck, lockVatId, vatIdOfAccount, vatIdsToCheck } from '../entities/vat-id.ts';
import type { VatAnswer } from '../providers/vat-register.ts';
import { taxPositionOf } from './tax-position.ts';

/** How long an answer is used before the register is asked again; the old answer holds until a new one comes. */
const GOOD_MS = 30 * DAY;
const RETRY_MS = { first: 5 * MINUTE, max: 6 * HOUR };
const BATCH_SIZE = 100;

/** Checks the VAT id of an account, if it is due; safe to repeat. When the register does not answer, it is asked again later. */
export async function checkVatId(ctx: TaxContext, accountId: string): Promise<void> {
  const { clock, log, providers } = ctx;
  const asked = await vatIdOfAccount(ctx.em.fork(), accountId);
  if (!asked || !providers.vatRegister || asked.nextCheckAt > clock.now()) return;
  let answer: VatAnswer | undefined;
  try {
    answer = await providers.vatRegister.check(splitVatId(asked.vatId));
  } catch (error) {
    log.warn({ account: accountId, error: String(error) }, 'a VAT id could not be checked');
  }
  await inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
    await lockMoneyOf(tx.em, accountId);
    const row = await lockVatId(tx.em, accountId);
    // The id was changed meanwhile, so the answer is about another one.
    if (row?.vatId !== asked.vatId) return;
    const now = clock.now();
    if (!answer) {
      row.nextCheckAt = after(now, Math.min(RETRY_MS.first * 2 ** Math.min(row.tries, 10), RETRY_MS.max));
      row.tries++;
      return;
    }
    const checkId = newId('vat', clock);
    await insertVatIdCheck(tx.em, { ...answer, id: checkId, accountId, vatId: row.vatId, checkedAt: now });
    const state = answer.valid ? 'VALID' : 'INVALID';
    const changed = row.state !== state;
    Object.assign(row, { state, checkId, nextCheckAt: after(now, GOOD_MS), tries: 0 });
    await tx.em.flush();
    if (changed) await announce(tx, accountId);
  });
}

/** Announces a change: sellers and renewals use the new tax from now on. */
async function announce(tx: TaxContext, accountId: string): Promise<void> {
  const details = await detailsOfAccount(tx.em, accountId);
  const row = await vatIdOfAccount(tx.em, accountId);
  if (!details || !row) return;
  const { reverseCharge } = await taxPositionOf(tx, accountId);
  const { vatId, state } = row;
  await tx.providers.taxChanged(tx, accountId);
  await record(tx, {
    type: 'vat_id.checked',
    accountId,
    subject: accountId,
    data: { vatId, valid: state === 'VALID', country: details.country, reverseCharge },
  });
}

/** Checks all ids that are due, where sales are taxed. One that fails does not stop the others. */
export async function checkVatIds(ctx: TaxContext): Promise<void> {
  if (!sellsWithTax(ctx.providers.taxRates)) return;
  for (const accountId of await vatIdsToCheck(ctx.em, ctx.clock.now(), BATCH_SIZE))
    try {
      await checkVatId(ctx, accountId);
    } catch (error) {
      ctx.log.error({ account: accountId, error: String(error) }, 'the check of a VAT id failed');
    }
}
