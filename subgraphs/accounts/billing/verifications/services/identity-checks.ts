// A vendor checks who customers are: they are sent there by a signed link, and what it decides comes back as signed notices. A level that is now high enough
// releases the orders that were held for want of it.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import type { SignedMessage } from '#platform/standard-webhook.ts';
import { accountWithId } from '../../../identity/entities/account.ts';
import { record } from '../../../identity/services/activity.ts';
import { levelOfAccount, lockLevel, saveLevel } from '../../risk/entities/identity-level.ts';
import { heldOfAccount, reviewOfOrder } from '../../risk/entities/order-review.ts';
import { ruleWithId } from '../../risk/entities/risk-rule.ts';
import { releaseOrder } from '../../reviews/services/risk-desk.ts';
import type { BillingContext } from '../../context.ts';
import { checkLink, checkSignature, decisionIn } from '../domain/identity-notice.ts';

/** The link by which the caller begins a check. Errors: identity_checks_off. */
export async function beginCheck({ em, clock, viewer, providers }: BillingContext): Promise<string> {
  const vendor = providers.identityVendor;
  if (!vendor) throw fail('identity_checks_off');
  const account = accountOf({ viewer });
  const language = viewer.language ?? (await accountWithId(em, account))?.language ?? 'en';
  const link = { url: vendor.url, account, language, returnUrl: `${providers.publicUrl}/settings` };
  return checkLink(link, vendor.secret, clock.now());
}

/**
 * Takes what the vendor has decided. Of several decisions about an account the latest one holds, however late or often they come; what staff have noted since
 * holds too. Errors: route_not_found without a vendor, signature_invalid, parameter_invalid.
 */
export async function receiveDecision(ctx: BillingContext, notice: SignedMessage): Promise<{ stored: boolean }> {
  const vendor = ctx.providers.identityVendor;
  if (!vendor) throw fail('route_not_found');
  checkSignature(notice, vendor.secret, ctx.clock.now());
  const decision = decisionIn(notice.body, ctx.clock.now());
  if (!decision) return { stored: false };
  const { account: accountId, ...row } = decision;
  return inTransaction(ctx, async (tx) => {
    // An account that is gone, or of another platform at the same vendor: sent again it would be no better known.
    if (!(await accountWithId(tx.em, accountId))) return { stored: false };
    const before = await lockLevel(tx.em, accountId);
    if (before && before.decidedAt >= row.decidedAt) return { stored: false };
    await saveLevel(tx.em, { ...row, accountId, setBy: 'vendor', setAt: tx.clock.now() });
    await record(tx, { type: 'account.identity_set', accountId, subject: accountId, data: { level: row.level } });
    await tx.jobs.enqueue(tx.em, 'accounts.identity-release', { accountId });
    return { stored: true };
  });
}

/** Job: releases the account's orders that are held for nothing but a level that it has now. */
export async function releaseVerified(ctx: BillingContext, { accountId }: { accountId: string }): Promise<void> {
  const level = await levelOfAccount(ctx.em, accountId, ctx.clock.now());
  for (const id of await heldOfAccount(ctx.em, accountId)) {
    const findings = (await reviewOfOrder(ctx.em, id))?.findings ?? [];
    const isMet = await Promise.all(
      findings.map(async ({ kind, outcome, rule }) => {
        const needed = kind === 'IDENTITY' && outcome === 'REVIEW' ? await ruleWithId(ctx.em, rule) : null;
        return typeof needed?.identityLevel === 'number' && level >= needed.identityLevel;
      }),
    );
    if (findings.length > 0 && isMet.every(Boolean))
      await releaseOrder({ ...ctx, em: ctx.em.fork() as BillingContext['em'] }, { id, reason: 'The identity is checked' });
  }
}
