// Limits who may set up the second factor of a staff account to the person who was handed a link by another member of staff or by the command. If a password
// were enough, whoever has stolen one would have the rights of staff.
import { DAY, MINUTE, after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import type { Account } from '../entities/account.ts';
import { allowEnrolment, sessionOfAccount } from '../entities/session.ts';
import { replaceEnrolment, takeEnrolment } from '../entities/staff-enrolment.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';
import { accountFor } from './staff.ts';
import { factorsOf } from './second-factor.ts';

/** Spec is silent: how long a link works, and how long after its use the factor may be set up. */
const LINK_MS = DAY;
const SETUP_MS = 30 * MINUTE;

export interface EnrolmentLink {
  url: string;
  expiresAt: Date;
}

/**
 * Issues a link for a member of staff who has no second factor. It is shown only this once, and the previous one is void. Callers have checked that the account
 * itself does not ask for it, or that it comes from the command. Errors: account_not_found, action_not_allowed (no member of staff, or one who has a second
 * factor).
 */
export const issueEnrolment = (ctx: IdentityContext, accountId: string): Promise<EnrolmentLink> =>
  inTransaction(ctx, async (tx) => {
    const account = await accountFor(tx, accountId);
    if (account.role !== 'STAFF') throw fail('action_not_allowed', { reason: because('staff_only') });
    if ((await factorsOf(tx, accountId)).length > 0) throw fail('action_not_allowed', { reason: because('second_factor_exists') });
    const now = ctx.clock.now();
    const token = newToken();
    const expiresAt = after(now, LINK_MS);
    await replaceEnrolment(tx.em, {
      tokenHash: hashToken(token),
      accountId,
      issuedBy: ctx.viewer.kind === 'session' ? ctx.viewer.accountId : null,
      createdAt: now,
      expiresAt,
    });
    await record(tx, { type: 'account.enrolment_link_issued', accountId, subject: accountId });
    return { url: `${ctx.providers.publicUrl}/settings/enrol?token=${token}`, expiresAt };
  });

/** Uses up a link: this session may set up a second factor for half an hour. Errors: token_invalid (unknown, used, over, or of another account). */
export async function acceptEnrolment(ctx: IdentityContext, token: string): Promise<{ until: Date }> {
  const accountId = accountOf(ctx);
  const { viewer } = ctx;
  if (viewer.kind !== 'session') throw fail('session_invalid');
  const now = ctx.clock.now();
  const until = after(now, SETUP_MS);
  await inTransaction(ctx, async (tx) => {
    if (!(await takeEnrolment(tx.em, hashToken(token), accountId, now))) throw fail('token_invalid');
    await allowEnrolment(tx.em, viewer.sessionId, accountId, until);
    await record(tx, { type: 'account.enrolment_link_used', accountId, subject: accountId });
  });
  return { until };
}

/** Checks, before a factor is added to a staff account, that the session has used a link or has passed a second factor. Errors: enrolment_link_needed. */
export async function requireEnrolment(ctx: IdentityContext, { id: accountId, role }: Pick<Account, 'id' | 'role'>): Promise<void> {
  if (role !== 'STAFF') return;
  const { viewer } = ctx;
  const session = viewer.kind === 'session' ? await sessionOfAccount(ctx.em.fork(), viewer.sessionId, accountId) : null;
  const may = session && (session.strongAt !== null || (session.enrolUntil && session.enrolUntil > ctx.clock.now()));
  if (!may) throw fail('enrolment_link_needed');
}
