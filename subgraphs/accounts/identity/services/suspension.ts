// An account that support has suspended: nobody enters it, by whatever way, until support restores it. Nothing that its owner can do or pay ends that.
import { because, fail } from '#platform/errors.ts';
import type { IdentityContext } from '../context.ts';

/** Says where to write. Errors: account_suspended. */
export function refuseSuspended(
  { providers }: Pick<IdentityContext, 'providers'>,
  { suspendedAt }: { suspendedAt?: Date | string | null },
): void {
  if (suspendedAt) throw fail('account_suspended', { reason: because('suspended_write_to', { email: providers.supportEmail }) });
}
