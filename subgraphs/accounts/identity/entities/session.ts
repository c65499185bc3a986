import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { StaffRole } from '#platform/staff-permissions.ts';
import type { AccountRole } from './account.ts';

export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: (p) => ({
    id: p.string().primary(),
    tokenHash: p.string(),
    accountId: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    lastUsedAt: p.datetime(),
    address: p.string(),
    userAgent: p.string(),
    strongAt: p.datetime().nullable(),
    /** Until when it may set up the second factor of a member of staff; null: it may not. */
    enrolUntil: p.datetime().nullable(),
    /** The account of a team that it acts in; null: the person's own. */
    teamId: p.string().nullable(),
  }),
});
export type Session = InferEntity<typeof Session>;

/** The sessions of an account that have not expired, the last used first. */
export const openSessionsOf = (em: EntityManager, accountId: string, now: Date): Promise<Session[]> =>
  em.find(Session, { accountId, expiresAt: { $gt: now } }, { orderBy: { lastUsedAt: 'desc', id: 'desc' } });

export const sessionOfAccount = (em: EntityManager, id: string, accountId: string): Promise<Session | null> =>
  em.findOne(Session, { id, accountId });

export const sessionWithToken = (em: EntityManager, tokenHash: string): Promise<Session | null> => em.findOne(Session, { tokenHash });

interface Tables {
  session: {
    id: string;
    token_hash: string;
    account_id: string;
    created_at: string;
    expires_at: string;
    address: string;
    user_agent: string;
    last_used_at: string;
    strong_at: string | null;
    team_id: string | null;
  };
  account: { id: string; role: AccountRole; suspended_at: string | null };
}

/** The session with this token, expired or not, and the role of its account; undefined when the account is suspended. Instants are text. */
export const sessionWithRole = (em: EntityManager, tokenHash: string) =>
  em
    .getKysely<Tables>()
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select([
      'session.id',
      'session.account_id',
      'session.created_at',
      'session.expires_at',
      'session.address',
      'session.user_agent',
      'session.last_used_at',
      'session.strong_at',
      'session.team_id',
      'account.role',
    ])
    .select(sql<StaffRole[]>`array(select role from staff_role where staff_role.account_id = account.id)`.as('staff_roles'))
    .where('session.token_hash', '=', tokenHash)
    // A session may have been opened while the account was being suspended.
    .where('account.suspended_at', 'is', null)
    .executeTakeFirst();

export async function insertSession(em: EntityManager, session: Omit<Session, 'enrolUntil' | 'teamId'>): Promise<void> {
  await em.insert(Session, session);
}

export async function touchSession(em: EntityManager, id: string, now: Date): Promise<void> {
  await em.nativeUpdate(Session, { id }, { lastUsedAt: now });
}

export async function prolongSession(em: EntityManager, tokenHash: string, expiresAt: Date): Promise<void> {
  await em.nativeUpdate(Session, { tokenHash }, { expiresAt });
}

/** Marks a session as having passed a second factor. */
export async function markStrong(em: EntityManager, id: string, accountId: string, now: Date): Promise<void> {
  await em.nativeUpdate(Session, { id, accountId }, { strongAt: now });
}

/** Allows a session to set up the second factor of a member of staff until that moment. */
export async function allowEnrolment(em: EntityManager, id: string, accountId: string, until: Date): Promise<void> {
  await em.nativeUpdate(Session, { id, accountId }, { enrolUntil: until });
}

/** From now on the session acts in the account of a team; null: in the person's own. */
export async function actIn(em: EntityManager, id: string, accountId: string, teamId: string | null): Promise<void> {
  await em.nativeUpdate(Session, { id, accountId }, { teamId });
}

/** The sessions of a person act in the account of this team no more. */
export async function leaveTeam(em: EntityManager, accountId: string, teamId: string): Promise<void> {
  await em.nativeUpdate(Session, { accountId, teamId }, { teamId: null });
}

/** Deletes a session, with `accountId` only of that account; returns whether there was one. */
export const deleteSession = async (em: EntityManager, id: string, accountId?: string): Promise<boolean> =>
  (await em.nativeDelete(Session, { id, ...(accountId !== undefined && { accountId }) })) === 1;

/** Deletes the sessions of an account and returns how many; `except` is the id of one that stays. */
export const deleteSessionsOf = (em: EntityManager, accountId: string, except?: string): Promise<number> =>
  em.nativeDelete(Session, { accountId, ...(except !== undefined && { id: { $ne: except } }) });

export async function deleteSessionWithToken(em: EntityManager, tokenHash: string): Promise<void> {
  await em.nativeDelete(Session, { tokenHash });
}

export async function forgetSessions(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(Session, { expiresAt: { $lte: until } });
}
