// Sessions by the library lucia, which only this file uses. Its adapter maps lucia's calls to the queries of entities/session.ts, and stores hashed ids.
// Listing sessions and ending one by its id do not use lucia: it would be given hashes there, and delete nothing.
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import { type Clock, DAY, MINUTE, systemClock } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import type { StaffRole } from '#platform/staff-permissions.ts';
import {
  deleteSessionWithToken,
  deleteSessionsOf,
  forgetSessions,
  insertSession,
  prolongSession,
  sessionWithRole,
  touchSession,
} from '../entities/session.ts';
import type { Retention } from '../../../../schema/retention.ts';
import type { AccountRole } from '../entities/account.ts';

interface SessionAttributes {
  sessionId: string;
  address: string;
  userAgent: string;
  strong: boolean;
  /** The account of a team that it acts in. */
  teamId: string | null;
}

interface AccountAttributes {
  role: AccountRole;
  /** The roles of a member of staff. */
  staffRoles: StaffRole[];
}

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<{ sessionId: string; strong: boolean; teamId: string | null }, AccountAttributes>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: AccountAttributes;
  }
}

export interface ValidSession {
  sessionId: string;
  accountId: string;
  role: AccountRole;
  staffRoles: StaffRole[];
  expiresAt: Date;
  /** Whether it has passed a second factor. */
  strong: boolean;
  /** The account of a team that it acts in; null: the person's own. */
  teamId: string | null;
}

export interface Sessions {
  create(
    em: EntityManager,
    accountId: string,
    from: { address: string; userAgent: string; strong: boolean },
  ): Promise<{ token: string; sessionId: string; expiresAt: Date }>;
  /** The session of a token, which is prolonged when half of its life is over; undefined when there is none any more. */
  validate(em: EntityManager, token: string): Promise<ValidSession | undefined>;
}

/** The last use is stored to the minute, which takes one write per minute instead of one per request. */
const TOUCH_MS = MINUTE;

const attributesOf = (row: NonNullable<Awaited<ReturnType<typeof sessionWithRole>>>): SessionAttributes => ({
  sessionId: row.id,
  address: row.address,
  userAgent: row.user_agent,
  strong: row.strong_at !== null,
  teamId: row.team_id,
});

/** Spec is silent: a session lives `idleSessions` days after its last prolongation, and `sessions` days after its log-in however much it is used. */
export function createSessions(clock: Clock, { idleSessions, sessions }: Pick<Retention, 'idleSessions' | 'sessions'>): Sessions {
  // lucia reads the system's time, everything else here uses the clock, so times that are passed between them are shifted by the difference.
  const shift = () => systemClock.now().getTime() - clock.now().getTime();
  const toLucia = (at: Date) => new Date(at.getTime() + shift());
  const fromLucia = (at: Date) => new Date(at.getTime() - shift());

  const adapter = (em: EntityManager): Adapter => ({
    async getSessionAndUser(id) {
      const row = await sessionWithRole(em, hashToken(id));
      if (!row || clock.now().getTime() - new Date(row.created_at).getTime() >= sessions * DAY) return [null, null];
      if (clock.now().getTime() - new Date(row.last_used_at).getTime() > TOUCH_MS) await touchSession(em, row.id, clock.now());
      return [
        {
          id,
          userId: row.account_id,
          expiresAt: toLucia(new Date(row.expires_at)),
          attributes: attributesOf(row),
        },
        { id: row.account_id, attributes: { role: row.role, staffRoles: row.staff_roles } },
      ];
    },
    async setSession({ id, userId, expiresAt, attributes }) {
      const now = clock.now();
      const { sessionId, address, userAgent, strong } = attributes;
      await insertSession(em, {
        id: sessionId,
        tokenHash: hashToken(id),
        accountId: userId,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: fromLucia(expiresAt),
        address,
        userAgent,
        strongAt: strong ? now : null,
      });
    },
    async updateSessionExpiration(id, expiresAt) {
      await prolongSession(em, hashToken(id), fromLucia(expiresAt));
    },
    async deleteSession(id) {
      await deleteSessionWithToken(em, hashToken(id));
    },
    async deleteUserSessions(accountId) {
      await deleteSessionsOf(em, accountId);
    },
    async deleteExpiredSessions() {
      await forgetSessions(em, clock.now());
    },
    // Never called: see the head of this file.
    getUserSessions: () => Promise.resolve([]),
  });
  const lucia = (em: EntityManager) =>
    new Lucia(adapter(em), {
      sessionExpiresIn: new TimeSpan(idleSessions, 'd'),
      getSessionAttributes: ({ sessionId, strong, teamId }) => ({ sessionId, strong, teamId }),
      getUserAttributes: ({ role, staffRoles }) => ({ role, staffRoles }),
    });

  return {
    async create(em, accountId, from) {
      const sessionId = newId('sess', clock);
      const session = await lucia(em).createSession(accountId, { sessionId, teamId: null, ...from }, { sessionId: newToken() });
      return { token: session.id, sessionId, expiresAt: fromLucia(session.expiresAt) };
    },
    async validate(em, token) {
      const { session, user } = await lucia(em).validateSession(token);
      if (!session) return undefined;
      return {
        sessionId: session.sessionId,
        accountId: user.id,
        role: user.role,
        staffRoles: user.staffRoles,
        strong: session.strong,
        teamId: session.teamId,
        expiresAt: fromLucia(session.expiresAt),
      };
    },
  };
}
