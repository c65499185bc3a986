// The members of an account's team: what they may do, and how they leave. Every process learns at once what has changed.
import { accountOf, personOf } from '#platform/context.ts';
import { type EntityManager, inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Member, TeamRole } from '#platform/team-permissions.ts';
import type { IdentityContext } from '../../identity/context.ts';
import { announceAccess } from '../../identity/entities/access-notice.ts';
import { type Account, accountWithId, addressOf, existingAccount, lockAccount } from '../../identity/entities/account.ts';
import { actIn, leaveTeam } from '../../identity/entities/session.ts';
import { record } from '../../identity/services/activity.ts';
import { postToOwner } from '../../mail/services/mails.ts';
import { type TeamAccess, checkAccess, checkTeamName, nameOfTeam } from '../domain/team-access.ts';
import {
  type TeamMember,
  deleteMember,
  deleteMembersOf,
  insertMember,
  memberWithId,
  membershipIn,
  setMemberAccess,
} from '../entities/team-member.ts';
import { deleteInvitationsOf } from '../entities/team-invitation.ts';

/** How a person may act in an account; undefined: not at all, also while the account is suspended. */
export async function memberIn(em: EntityManager, teamId: string, personId: string): Promise<Member | undefined> {
  const member = await membershipIn(em, teamId, personId);
  const account = member && (await accountWithId(em, teamId));
  if (!account || account.closedAt || account.suspendedAt) return undefined;
  return { accountId: personId, role: member.role, ...(member.things && { only: member.things }) };
}

/** Errors: parameter_invalid. */
export function setTeamName(ctx: IdentityContext, name: string | null | undefined): Promise<Account> {
  const accountId = accountOf(ctx);
  const teamName = checkTeamName(name);
  return inTransaction(ctx, async (tx) => {
    const account = await lockAccount(tx.em, accountId);
    if (account.teamName === teamName) return account;
    account.teamName = teamName;
    await record(tx, { type: 'team.named', accountId, subject: accountId, data: { name: teamName ?? '' } });
    return account;
  });
}

/** Adds a member in the caller's transaction. */
export async function addMember(
  tx: IdentityContext,
  accountId: string,
  person: Account,
  { role, things }: TeamAccess,
): Promise<TeamMember> {
  const member = { id: newId('memb', tx.clock), accountId, personId: person.id, role, things, since: tx.clock.now() };
  await insertMember(tx.em, member);
  const email = person.email ?? person.id;
  await record(tx, { type: 'team.member_joined', accountId, subject: member.id, data: { email, role }, actor: 'OWNER' });
  await postToOwner(tx, accountId, 'team_joined', { email, role, url: `${tx.providers.publicUrl}/settings?tab=team` });
  return member;
}

/** Errors: team_member_not_found, parameter_invalid. */
export function changeMember(
  ctx: IdentityContext,
  id: string,
  given: { role: TeamRole; things?: readonly string[] | null | undefined },
): Promise<TeamMember> {
  const access = checkAccess(given);
  return changing(ctx, id, async (tx, member, email) => {
    await setMemberAccess(tx.em, id, access);
    const { accountId } = member;
    await record(tx, { type: 'team.member_changed', accountId, subject: id, data: { email, role: access.role } });
    return { ...member, ...access };
  });
}

/** Errors: team_member_not_found. */
export async function removeMember(ctx: IdentityContext, id: string): Promise<string> {
  await changing(ctx, id, async (tx, { accountId, personId }, email) => {
    await forget(tx, accountId, personId);
    await record(tx, { type: 'team.member_removed', accountId, subject: id, data: { email } });
    await postToOwner(tx, personId, 'team_left', { team: nameOfTeam(await existingAccount(tx.em, accountId)) });
  });
  return id;
}

/** The caller's person leaves a team. Errors: team_member_not_found. */
export async function leaveAsMember(ctx: IdentityContext, accountId: string): Promise<string> {
  const personId = personOf(ctx);
  await inTransaction(ctx, async (tx) => {
    const member = await membershipIn(tx.em, accountId, personId);
    if (!member || !(await forget(tx, accountId, personId))) throw fail('team_member_not_found');
    const email = await addressOf(tx.em, personId);
    await record(tx, { type: 'team.member_left', accountId, subject: member.id, data: { email }, actor: 'OWNER' });
    await announceAccess(tx.em, personId);
  });
  return accountId;
}

/**
 * From now on the caller's session acts in the account of a team that its person is a member of, or in the person's own (null). Errors: team_member_not_found,
 * session_invalid.
 */
export async function switchAccount(ctx: IdentityContext, accountId: string | null): Promise<string> {
  const { viewer } = ctx;
  if (viewer.kind !== 'session') throw fail('session_invalid');
  const personId = personOf(ctx);
  const teamId = accountId === personId ? null : accountId;
  await inTransaction(ctx, async (tx) => {
    if (teamId !== null && !(await memberIn(tx.em, teamId, personId))) throw fail('team_member_not_found');
    await actIn(tx.em, viewer.sessionId, personId, teamId);
    await announceAccess(tx.em, viewer.sessionId);
  });
  return teamId ?? personId;
}

/** Closer: an account that is closed has no members, and is none. */
export async function endTeamsOf({ em }: IdentityContext, accountId: string): Promise<void> {
  await deleteInvitationsOf(em, accountId);
  await deleteMembersOf(em, accountId);
}

async function forget({ em }: IdentityContext, accountId: string, personId: string): Promise<boolean> {
  await leaveTeam(em, personId, accountId);
  return deleteMember(em, accountId, personId);
}

const changing = <Result>(
  ctx: IdentityContext,
  id: string,
  change: (tx: IdentityContext, member: TeamMember, email: string) => Promise<Result>,
): Promise<Result> =>
  inTransaction(ctx, async (tx) => {
    const accountId = accountOf(tx);
    await lockAccount(tx.em, accountId);
    const member = await memberWithId(tx.em, accountId, id);
    if (!member) throw fail('team_member_not_found');
    const result = await change(tx, member, await addressOf(tx.em, member.personId));
    await announceAccess(tx.em, member.personId);
    return result;
  });

/** Members of staff help in every account already, under rules of their own. Throws `action_not_allowed`. */
export function refuseStaff({ role }: Pick<Account, 'role'>): void {
  if (role === 'STAFF') throw fail('action_not_allowed', { reason: because('team_of_staff') });
}
