// Before an account's ways in are changed, its owner must prove their identity again: an open session that somebody found must not be enough.
import { MINUTE, after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { type Account, openAccount } from '../entities/account.ts';
import { sessionOfAccount } from '../entities/session.ts';
import type { IdentityContext } from '../context.ts';
import type { Try } from '../providers/attempts.ts';
import type { Waiter } from '../providers/hash-queue.ts';

/** Spec is silent: how recent the log-in must be for accounts without a password. */
const FRESH_MS = 15 * MINUTE;

/** What a wrong proof is counted as: a session is slowed by its own failures only. */
export const proofTries = (ctx: IdentityContext): Try[] => [
  { kind: 'proof', name: `${accountOf(ctx)} ${ctx.viewer.kind === 'session' ? ctx.viewer.sessionId : ''}` },
];

const proofWaiter = (who: string): Waiter => ({ who, proven: true });

/**
 * Proves the identity of the session's owner again, and returns the account. Errors: credentials_wrong, sign_in_again (an account without a password, and no
 * fresh log-in), too_many_attempts.
 */
export async function reauthenticate(ctx: IdentityContext, password: string | null | undefined): Promise<Account> {
  const { attempts, passwords } = ctx.providers;
  const id = accountOf(ctx);
  const account = await openAccount(ctx.em, id);
  if (!account) throw fail('session_invalid');
  if (account.passwordHash) {
    const { passwordHash } = account;
    const right = await attempts.judge(
      proofTries(ctx),
      async () => (await passwords.verify(password ?? '', passwordHash, proofWaiter(id))) || undefined,
    );
    if (!right) throw fail('credentials_wrong', { field: 'password' });
    return account;
  }
  const session = ctx.viewer.kind === 'session' ? await sessionOfAccount(ctx.em, ctx.viewer.sessionId, id) : null;
  if (!session || session.createdAt < after(ctx.clock.now(), -FRESH_MS)) throw fail('sign_in_again');
  return account;
}
