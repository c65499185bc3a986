// Tells staff by mail what waits for a second one of them.
import { type StaffPermission, permissionsOf } from '#platform/staff-permissions.ts';
import { toMinute } from '../../mail/domain/mail-text.ts';
import { postMail } from '../../mail/services/mails.ts';
import { accountWithId } from '../entities/account.ts';
import type { IdentityContext } from '../context.ts';
import { staffMembers } from './staff.ts';

export interface WaitingForSecond {
  /** What who answers needs. */
  permission: StaffPermission;
  /** The account of the member of staff who has asked, or `command`. */
  askedBy: string;
  /** The account that it is for. */
  accountId: string;
  /** Such as "Credit of 2000.00 USD". */
  what: string;
  /** When it lapses. */
  until: Date;
}

/**
 * Posts a mail to each member of staff who may answer, in the transaction of `ctx.em`: neither to who has asked nor to whose account it is for. When there is
 * none, support's address gets it.
 */
export async function askSecondPerson(
  ctx: IdentityContext,
  { permission, askedBy, accountId, what, until }: WaitingForSecond,
): Promise<void> {
  const { supportEmail, publicUrl } = ctx.providers;
  const mayAnswer = (await staffMembers(ctx)).filter(
    ({ account, roles }) => permissionsOf(roles).includes(permission) && !account.closedAt && !account.suspendedAt,
  );
  const addresses = mayAnswer
    .filter(({ account: { id } }) => id !== askedBy && id !== accountId)
    .flatMap(({ account: { email } }) => email ?? []);
  const by = (await accountWithId(ctx.em, askedBy))?.email ?? askedBy;
  const mail = { what, account: accountId, by, until: toMinute(until), url: `${publicUrl}/support` };
  for (const address of addresses.length > 0 ? addresses : [supportEmail]) await postMail(ctx, address, 'second_person_asked', mail);
}
