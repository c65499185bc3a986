// Has the VAT id of an account checked. The register is asked outside of any transaction, by a job: whoever enters an id does not wait for it, and pays
// tax until it has answered.
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

/** An answer is good for so long; then it is asked for again, and the old one holds until there is another. */
const GOOD_MS = 30 * DAY;
const RETRY_MS = { first: 5 * MINUTE, max: 6 * HOUR };
const BATCH_SIZE = 100;

/** Safe to repeat. An id that the register does not answer for is tried again later. */
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
    // Changed meanwhile: what was answered is about another id.
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

/** Sellers tax by it from now on, and so do renewals. */
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

/** All that are due, where it makes a difference to the tax; one that fails keeps no other from its turn. */
export async function checkVatIds(ctx: TaxContext): Promise<void> {
  if (!sellsWithTax(ctx.providers.taxRates)) return;
  for (const accountId of await vatIdsToCheck(ctx.em, ctx.clock.now(), BATCH_SIZE))
    try {
      await checkVatId(ctx, accountId);
    } catch (error) {
      ctx.log.error({ account: accountId, error: String(error) }, 'the check of a VAT id failed');
    }
}
