// Whether the outside systems of accounts are set up as it needs them.
import { type CheckMode, type VendorFinding, findingsOf } from '#platform/vendor-check.ts';
import type { Context } from '../../context.ts';

/** Mode `check` asks every system that can be checked; mode `setUp` sets up the payment processors whose API allows it. */
export async function checkVendors({ providers }: Context, mode: CheckMode): Promise<VendorFinding[]> {
  const found: VendorFinding[] = [];
  for (const [name, processor] of Object.entries(providers.payments)) {
    const ask = processor?.checks?.[mode];
    if (ask) found.push(...(await findingsOf(name.toLowerCase(), ask)));
  }
  if (mode === 'setUp') return found;
  const { mailer, mailDomain, vatRegister } = providers;
  found.push(...(await findingsOf('mail', mailer.check)));
  if (mailDomain) found.push(...(await findingsOf('mail', mailDomain.check)));
  if (vatRegister) found.push(...(await findingsOf('vies', vatRegister.status)));
  return found;
}
