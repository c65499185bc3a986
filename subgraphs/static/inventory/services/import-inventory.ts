import { randomInt } from 'node:crypto';
import { inTransaction } from '#platform/database.ts';
import { because } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { ProductsContext } from '../../products/context.ts';
import { type InventoryProblem, parseInventory } from '../domain/inventory-csv.ts';
import { addAddresses } from '../entities/address.ts';

export interface InventoryReceipt {
  /** How many addresses were added: all of the file, or none. */
  loaded: number;
  /** In the order of the file. */
  problems: InventoryProblem[];
}

function shuffle(ids: string[]): void {
  for (let left = ids.length - 1; left > 0; left--) {
    const chosen = randomInt(left + 1);
    [ids[left], ids[chosen]] = [ids[chosen] as string, ids[left] as string];
  }
}

class AlreadyThere extends Error {
  readonly ips: Set<string>;

  constructor(ips: string[]) {
    super('addresses are in the inventory already');
    this.ips = new Set(ips);
  }
}

/** Loads an inventory file (see `parseInventory`); if there is any problem, nothing is loaded. */
export async function importInventory(context: ProductsContext, csv: string): Promise<InventoryReceipt> {
  const { lines, problems } = parseInventory(csv);
  if (problems.length > 0) return { loaded: 0, problems };
  try {
    await inTransaction(context, async ({ em, clock }) => {
      // Addresses are sold in the order of their ids, so these are shuffled: one order then gets addresses of many networks.
      const ids = lines.map(() => newId('addr', clock));
      shuffle(ids);
      const there = await addAddresses(
        em,
        lines.map((line, index) => ({ ...line, id: ids[index] as string })),
        clock.now(),
      );
      if (there.length > 0) throw new AlreadyThere(there);
    });
    return { loaded: lines.length, problems: [] };
  } catch (error) {
    if (!(error instanceof AlreadyThere)) throw error;
    return {
      loaded: 0,
      problems: lines
        .filter(({ ip }) => error.ips.has(ip))
        .map(({ line, ip }) => ({ line, reason: because('inventory_address_known', { ip }) })),
    };
  }
}
