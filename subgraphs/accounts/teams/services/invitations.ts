// Invitations into a team: a link by mail, which only an account with that address can use.
import { DAY, after } from '#platform/clock.ts';
import { accountOf, personOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import type { TeamRole } from '#platform/team-permissions.ts';
import { TEAM } from '../../../../schema/limits.ts';
import type { IdentityContext } from '../../identity/context.ts';
import { checkEmail } from '../../identity/domain/password.ts';
import { accountsWithIds, existingAccount, lockAccount } from '../../identity/entities/account.ts';
import { record } from '../../identity/services/activity.ts';
import { postMail } from '../../mail/services/mails.ts';
import { checkAccess, nameOfTeam } from '../domain/team-access.ts';
import {
  type TeamInvitation,
  deleteInvitation,
  deleteInvitationsTo,
  insertInvitation,
  openInvitation,
  openInvitationsOf,
} from '../entities/team-invitation.ts';
import { type TeamMember, membersOf } from '../entities/team-member.ts';
import { addMember, refuseStaff } from './members.ts';

export interface Invited {
  email: string;
  role: TeamRole;
  things?: readonly string[] | null | undefined;
}

/**
 * Invites an address; one that is invited already gets another link, and the former opens nothing. Errors: email_invalid, parameter_invalid, team_full,
 * action_not_allowed (it is a member already), too_many_attempts.
 */
export async function invite(ctx: IdentityContext, { email: given, ...wanted }: Invited): Promise<TeamInvitation> {
  const accountId = accountOf(ctx);
  const email = checkEmail(given).toLowerCase();
  const access = checkAccess(wanted);
  await ctx.providers.attempts.count([{ kind: 'invitation_account', name: accountId }]);
  const token = newToken();
  return inTransaction(ctx, async (tx) => {
    const { em, clock, providers } = tx;
    const account = await lockAccount(em, accountId);
    const members = await membersOf(em, accountId);
    const people = await accountsWithIds(em, [accountId, ...members.map(({ personId }) => personId)]);
    if (people.some((person) => person.email?.toLowerCase() === email))
      throw fail('action_not_allowed', { reason: because('team_member_already') });
    await deleteInvitationsTo(em, accountId, email);
    const now = clock.now();
    if (members.length + (await openInvitationsOf(em, accountId, now)).length >= TEAM.members) throw fail('team_full');
    const invitation = {
      id: newId('invt', clock),
      accountId,
      email,
      ...access,
      tokenHash: hashToken(token),
      invitedBy: personOf(tx),
      createdAt: now,
      expiresAt: after(now, TEAM.invitationDays * DAY),
    };
    await insertInvitation(em, invitation);
    await record(tx, { type: 'team.member_invited', accountId, subject: invitation.id, data: { email, role: access.role } });
    const by = (await existingAccount(em, personOf(tx))).email ?? nameOfTeam(account);
    const mail = {
      team: nameOfTeam(account),
      by,
      role: access.role,
      days: TEAM.invitationDays,
      url: `${providers.publicUrl}/join?token=${token}`,
    };
    await postMail(tx, email, 'team_invited', mail, account.language);
    return invitation;
  });
}

/** Errors: invitation_not_found. */
export const withdrawInvitation = (ctx: IdentityContext, id: string): Promise<string> =>
  inTransaction(ctx, async (tx) => {
    const accountId = accountOf(tx);
    const gone = await deleteInvitation(tx.em, accountId, id);
    if (!gone) throw fail('invitation_not_found');
    await record(tx, { type: 'team.invitation_withdrawn', accountId, subject: id, data: { email: gone.email } });
    return id;
  });

export interface ReadInvitation {
  invitation: TeamInvitation;
  team: string;
}

/** Errors: invitation_not_found (unknown, used, taken back or over), invitation_of_another. */
export async function readInvitation(ctx: IdentityContext, token: string): Promise<ReadInvitation> {
  const { em, clock } = ctx;
  const invitation = await openInvitation(em, hashToken(token), clock.now());
  const account = invitation && (await existingAccount(em, invitation.accountId));
  if (!account || account.closedAt) throw fail('invitation_not_found');
  const person = await existingAccount(em, personOf(ctx));
  if (!person.emailVerifiedAt || person.email?.toLowerCase() !== invitation.email)
    throw fail('invitation_of_another', { reason: because('invitation_for', { email: invitation.email }) });
  return { invitation, team: nameOfTeam(account) };
}

/** The caller becomes a member. Errors: those of `readInvitation`, action_not_allowed (a member of staff). */
export const join = (ctx: IdentityContext, token: string): Promise<TeamMember> =>
  inTransaction(ctx, async (tx) => {
    const { invitation } = await readInvitation(tx, token);
    const { accountId, role, things = null } = invitation;
    // Locked, so that a link that is followed twice at once makes one member.
    await lockAccount(tx.em, accountId);
    if (!(await deleteInvitation(tx.em, accountId, invitation.id))) throw fail('invitation_not_found');
    const person = await existingAccount(tx.em, personOf(tx));
    refuseStaff(person);
    return addMember(tx, accountId, person, { role, things });
  });
