// Following the link of a sign-up. The link proves that the mail of the address is read in this browser, and the token that the sign-up gave to the browser
// proves who signed up: with both the account exists, and the person is logged in. Without the token the password is asked for: a stranger may have signed up
// with this address, and must not be let in by the person who reads the mail, nor let that person into an account whose password the stranger knows.
import { fail } from '#platform/errors.ts';
import { hashToken } from '#platform/secrets.ts';
import { accountWithEmail } from '../entities/account.ts';
import { waitingSignUp, waitingSignUpOfBrowser } from '../entities/sign-up.ts';
import type { IdentityContext } from '../context.ts';
import type { DeviceTokens } from './known-devices.ts';
import { type NewSession, openSession } from './open-session.ts';
import { confirmSignUp, useSignUp } from './sign-up.ts';

export interface SignUpArrival {
  email: string;
  next: string | null;
  /** Null: this browser is not the one that signed up. */
  session: NewSession | null;
}

/**
 * Follows a link; with the browser's token it makes the account and logs in, once, by whichever link to the address: which sign-up is meant, the token tells.
 * Errors: token_invalid.
 */
export async function followSignUpLink(
  ctx: IdentityContext,
  { verification, browser, devices }: { verification: string; browser?: string | null | undefined; devices?: DeviceTokens },
): Promise<SignUpArrival> {
  const now = ctx.clock.now();
  // Read before the link: of two tabs that open it at once, the later one then finds it used.
  const own = browser ? await waitingSignUpOfBrowser(ctx.em, hashToken(browser), now) : null;
  const linked = await waitingSignUp(ctx.em, hashToken(verification), now);
  if (!linked || (await accountWithEmail(ctx.em, linked.email))) throw fail('token_invalid');
  if (own?.email !== linked.email) return { email: linked.email, next: linked.next ?? null, session: null };
  if (!(await useSignUp(ctx, own))) throw fail('token_invalid');
  return { email: own.email, next: own.next ?? null, session: await openSession(ctx, await confirmSignUp(ctx, own), { devices }) };
}
