// The providers that accounts and their ways in are given.
import type { Context } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Member } from '#platform/team-permissions.ts';
import type { MailProviders } from '../mail/context.ts';
import type { Attempts } from './providers/attempts.ts';
import type { Authenticator } from './providers/authenticator.ts';
import type { ChatPlatform } from './providers/chat-platform.ts';
import type { LeakedPasswords } from './providers/leaked-passwords.ts';
import type { Passkeys } from './providers/passkeys.ts';
import type { Passwords } from './providers/passwords.ts';
import type { Sessions } from './providers/sessions.ts';

/** One session that somebody has ended, or all of an account but one. */
export type EndedSessions = { sessionId: string } | { except: string | undefined };

export interface IdentityProviders extends MailProviders {
  attempts: Attempts;
  authenticator: Authenticator;
  /** Undefined: nobody signs in by chat. */
  chat: ChatPlatform | undefined;
  /** Runs the closers of all nouns for an account that is being closed, in the transaction of `tx`; a failure keeps the account open. */
  endPartsOf(tx: IdentityContext, accountId: string): Promise<void>;
  leakedPasswords: LeakedPasswords;
  /** How a person may act in the account of a team; undefined: not at all. */
  memberIn(em: EntityManager, teamId: string, personId: string): Promise<Member | undefined>;
  passkeys: Passkeys;
  passwords: Passwords;
  sessions: Sessions;
  /** Ends what the browser of a session shows beside its pages, in the transaction of `tx`; of all sessions but `except`. */
  signedOut(tx: IdentityContext, accountId: string, ended: EndedSessions): Promise<void>;
}

export type IdentityContext = Context<IdentityProviders>;
