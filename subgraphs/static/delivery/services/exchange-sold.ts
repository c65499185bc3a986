import { inTransaction } from '#platform/database.ts';
import { because } from '#platform/errors.ts';
import { checkNetworks } from '../../inventory/domain/network.ts';
import { lockAddressesIn } from '../../inventory/entities/inventory.ts';
import type { InventoryOutcome } from '../../inventory/services/inventory.ts';
import type { PlansContext } from '../../plans/context.ts';
import { replaceNow } from './replace-addresses.ts';

/** Gives the holders of these addresses others of the same product, at once and without counting against their allowance. Errors: parameter_invalid. */
export async function exchangeSold(ctx: PlansContext, addresses: readonly string[]): Promise<InventoryOutcome> {
  const networks = checkNetworks(addresses);
  const found = await inTransaction(ctx, ({ em, clock }) => lockAddressesIn(em, networks, clock.now()));
  const outcome: InventoryOutcome = { changed: 0, refused: [] };
  for (const [planId, ofPlan] of Map.groupBy(found, (address) => address.planId)) {
    const refuse = (code: 'address_not_sold' | 'address_no_other' | 'address_plan_moved') =>
      outcome.refused.push(...ofPlan.map(({ ip }) => ({ ip, reason: because(code, { ip }) })));
    if (planId === null) {
      refuse('address_not_sold');
      continue;
    }
    const replaced = await replaceNow(ctx, { planId, addressIds: ofPlan.map(({ id }) => id), reason: 'OTHER', askedBy: 'SUPPORT' });
    if (typeof replaced === 'string') refuse(replaced === 'out_of_stock' ? 'address_no_other' : 'address_plan_moved');
    else outcome.changed += replaced.pairs.length;
  }
  return outcome;
}
