// What support does with the inventory. Addresses that customers hold are not touched.
import { isIPv4 } from 'node:net';
import { inTransaction } from '#platform/database.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { checkNetworks, isNetwork } from '../domain/network.ts';
import { type InventoryAction, type InventoryState, refusalOf } from '../domain/inventory-state.ts';
import { offsetOf } from '#platform/numbered-page.ts';
import { STATIC_PRODUCT_IDS, productNamed } from '../../products/domain/static-product.ts';
import {
  type InventoryAddress,
  type InventoryCounts,
  type Subnet,
  type Tenure,
  changeAddresses,
  countsByProduct,
  findAddresses,
  holdersOf,
  lockAddressesIn,
  subnetsOf,
} from '../entities/inventory.ts';
import type { ProductsContext } from '../../products/context.ts';

const NONE: InventoryCounts = { total: 0, free: 0, held: 0, heldUnpaid: 0, sold: 0, resting: 0, reserved: 0, retired: 0 };

/** Counts for every product, also for those without addresses. */
export async function overview({ em, clock, providers }: ProductsContext) {
  const counts = new Map((await countsByProduct(em, clock.now())).map(({ productId, ...row }) => [productId, row]));
  return STATIC_PRODUCT_IDS.map((id) => ({ product: providers.products[id], ...(counts.get(id) ?? NONE) }));
}

/** The subnets of a product. Errors: parameter_invalid. */
export const subnets = async ({ em, clock, providers }: ProductsContext, productId: string): Promise<Subnet[]> =>
  subnetsOf(em, productNamed(providers.products, productId).id, clock.now());

const toSearch = (text: string) => (text === '' ? null : text.includes('/') && isNetwork(text) ? { network: text } : { text });

export interface AddressQuestion {
  search?: string | null | undefined;
  productId?: string | null | undefined;
  state?: InventoryState | null | undefined;
  page: number;
  limit: number;
}

/** One page of addresses. Errors: page_invalid, limit_invalid. */
export function inventoryAddresses(
  { em, clock }: ProductsContext,
  { search, productId = null, state = null, page, limit }: AddressQuestion,
): Promise<{ rows: InventoryAddress[]; total: number }> {
  const offset = offsetOf({ page, limit });
  return findAddresses(em, { search: toSearch(search?.trim() ?? ''), productId, state, at: clock.now(), offset, limit });
}

/** Who held an address ever, or at `at`. With `at` the list is empty for an address that is not in the inventory or not IPv4. Errors: parameter_invalid. */
export async function holders({ em }: ProductsContext, { ip, at }: { ip: string; at?: Date | null | undefined }): Promise<Tenure[]> {
  if (!isIPv4(ip) && at) return [];
  if (!isIPv4(ip)) throw fail('parameter_invalid', { field: 'ip', reason: because('ipv4_unfit', { address: ip }) });
  return holdersOf(em, ip, at ?? null);
}

export interface InventoryOutcome {
  changed: number;
  refused: { ip: string; reason: Reason }[];
}

const NOTE_MAX = 200;

/** Reserves addresses, retires them, or puts them back on sale; a network means all its addresses in the inventory. Errors: parameter_invalid. */
export function changeInventory(
  ctx: ProductsContext,
  { addresses, action, note }: { addresses: readonly string[]; action: InventoryAction; note?: string | null | undefined },
): Promise<InventoryOutcome> {
  const networks = checkNetworks(addresses);
  if ((note?.length ?? 0) > NOTE_MAX)
    throw fail('parameter_invalid', { field: 'note', reason: because('address_note_too_long', { max: NOTE_MAX }) });
  return inTransaction(ctx, async ({ em, clock }) => {
    const at = clock.now();
    const found = await lockAddressesIn(em, networks, at);
    const refused = found.flatMap(({ ip, state }) => {
      const code = refusalOf(action, state);
      return code === undefined ? [] : [{ ip, reason: because(code, { ip }) }];
    });
    const ids = found.filter(({ state }) => refusalOf(action, state) === undefined).map(({ id }) => id);
    await changeAddresses(em, ids, { action, note: note?.trim() || null, at });
    return { changed: ids.length, refused };
  });
}
