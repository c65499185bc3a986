// Refuses suspended accounts. Nobody can enter one, by any way, until support restores it; nothing that its owner does or pays changes that.
import { because, fail } from '#platform/errors.ts';
import type { IdentityContext } from '../context.ts';

/** Refuses a suspended account, and says where to write. Errors: account_suspended. */
export function refuseSuspended(
  { providers }: Pick<IdentityContext, 'providers'>,
  { suspendedAt }: { suspendedAt?: Date | string | null },
): void {
  if (suspendedAt) throw fail('account_suspended', { reason: because('suspended_write_to', { email: providers.supportEmail }) });
}
