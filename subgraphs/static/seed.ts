// Demo data: an inventory of loopback addresses, on which this machine's own proxy node can listen, and from which it can connect, without any set-up.
import { importInventory } from './inventory/services/import-inventory.ts';
import { STATIC_PRODUCT_IDS, type StaticProductId } from './products/domain/static-product.ts';
import type { StaticContext } from './providers.ts';

/** Free for demonstrations on most machines. */
const PORT = 7900;

/** How many addresses of each product; one product is nearly sold out, so that a visitor sees that too. */
const STOCK: Record<StaticProductId, { addresses: number; places: readonly string[] }> = {
  'isp-northline': { addresses: 120, places: ['Frankfurt', 'London'] },
  'isp-meridian': { addresses: 80, places: ['New York', 'Chicago'] },
  'isp-bluewire': { addresses: 60, places: ['Amsterdam'] },
  'isp-cascade': { addresses: 3, places: ['Seattle'] },
  datacenter: { addresses: 200, places: ['Frankfurt', 'Amsterdam'] },
};

/** Loads addresses from 127.60.N.1 on, with a number N for each product. */
export async function seedStatic(ctx: StaticContext): Promise<void> {
  const lines = STATIC_PRODUCT_IDS.flatMap((id, product) => {
    const { addresses, places } = STOCK[id];
    return Array.from(
      { length: addresses },
      (_, index) => `127.60.${product + 1}.${index + 1},${PORT},${id},${places[index % places.length]}`,
    );
  });
  const { problems } = await importInventory(ctx, ['ip,port,product,location', ...lines].join('\n'));
  if (problems.length > 0) throw new Error(`the demo's inventory does not load: ${JSON.stringify(problems[0])}`);
}
