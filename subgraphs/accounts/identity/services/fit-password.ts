import { because, fail } from '#platform/errors.ts';
import { checkPassword } from '../domain/password.ts';
import type { IdentityContext } from '../context.ts';

/** Requires that a chosen password follows the rules and is in no leak that is known here. Errors: password_unfit. */
export async function requireFitPassword(ctx: IdentityContext, password: string, email: string): Promise<void> {
  checkPassword(password, email);
  if (await ctx.providers.leakedPasswords.has(password))
    throw fail('password_unfit', { field: 'password', reason: because('password_leaked') });
}
