// Support's work on the inventory. Nothing of it touches what customers hold, except an exchange.
import { isIPv4 } from 'node:net';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { type InventoryDeed, type InventoryState, refusalOf } from '../domain/inventory-state.ts';
import { offsetOf } from '../../plans/domain/static-page.ts';
import { STATIC_PRODUCT_IDS, isStaticProductId } from '../../plans/domain/static-product.ts';
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
import type { StaticContext } from '../../providers.ts';
import { replaceNow } from '../../delivery/services/replace-addresses.ts';
import { againAfterDeadlock } from './with-stock.ts';

const NONE: InventoryCounts = { total: 0, free: 0, held: 0, heldUnpaid: 0, sold: 0, resting: 0, reserved: 0, retired: 0 };

/** Every product, also those without an address. */
export async function overview({ em, clock, providers }: StaticContext) {
  const counts = new Map((await countsByProduct(em, clock.now())).map(({ productId, ...row }) => [productId, row]));
  return STATIC_PRODUCT_IDS.map((id) => ({ product: providers.products[id], ...(counts.get(id) ?? NONE) }));
}

/** Errors: parameter_invalid. */
export function subnets({ em, clock }: StaticContext, productId: string): Promise<Subnet[]> {
  if (!isStaticProductId(productId)) throw fail('parameter_invalid', { field: 'productId', reason: 'There is no such product.' });
  return subnetsOf(em, productId, clock.now());
}

/** "203.0.113.7" or "203.0.113.0/24", the network not smaller than a /16. */
const isNetwork = (text: string): boolean => {
  const [address = '', bits = '32', ...rest] = text.split('/');
  return isIPv4(address) && rest.length === 0 && /^\d{1,2}$/.test(bits) && Number(bits) >= 16 && Number(bits) <= 32;
};

const toSearch = (text: string) => (text === '' ? null : text.includes('/') && isNetwork(text) ? { network: text } : { text });

export interface AddressQuestion {
  search?: string | null | undefined;
  productId?: string | null | undefined;
  state?: InventoryState | null | undefined;
  page: number;
  limit: number;
}

/** Errors: page_invalid, limit_invalid. */
export function inventoryAddresses(
  { em, clock }: StaticContext,
  { search, productId = null, state = null, page, limit }: AddressQuestion,
): Promise<{ rows: InventoryAddress[]; total: number }> {
  const offset = offsetOf({ page, limit });
  return findAddresses(em, { search: toSearch(search?.trim() ?? ''), productId, state, at: clock.now(), offset, limit });
}

/** Errors: parameter_invalid. */
export function holders({ em }: StaticContext, ip: string): Promise<Tenure[]> {
  if (!isIPv4(ip)) throw fail('parameter_invalid', { field: 'ip', reason: `${JSON.stringify(ip)} is not an IPv4 address.` });
  return holdersOf(em, ip);
}

export interface InventoryOutcome {
  changed: number;
  refused: { ip: string; reason: string }[];
}

const NOTE_MAX = 200;

function checkNetworks(addresses: readonly string[]): string[] {
  const networks = addresses.map((each) => each.trim()).filter(Boolean);
  const wrong = networks.find((each) => !isNetwork(each));
  if (wrong !== undefined || networks.length === 0)
    throw fail('parameter_invalid', {
      field: 'addresses',
      reason:
        wrong === undefined
          ? 'Name at least one address.'
          : `${JSON.stringify(wrong)} is not an IPv4 address or a network from /16 to /32.`,
    });
  return networks;
}

/** Keeps addresses back, retires them, or gives them back to sale; networks stand for what the inventory has of them. Errors: parameter_invalid. */
export function changeInventory(
  ctx: StaticContext,
  { addresses, deed, note }: { addresses: readonly string[]; deed: InventoryDeed; note?: string | null | undefined },
): Promise<InventoryOutcome> {
  const networks = checkNetworks(addresses);
  if ((note?.length ?? 0) > NOTE_MAX)
    throw fail('parameter_invalid', { field: 'note', reason: `A note has at most ${NOTE_MAX} characters.` });
  return againAfterDeadlock(() =>
    inTransaction(ctx, async ({ em, clock }) => {
      const at = clock.now();
      const found = await lockAddressesIn(em, networks, at);
      const refused = found.flatMap(({ ip, state }) => {
        const reason = refusalOf(deed, state);
        return reason === undefined ? [] : [{ ip, reason: `${ip} ${reason}.` }];
      });
      const ids = found.filter(({ state }) => refusalOf(deed, state) === undefined).map(({ id }) => id);
      await changeAddresses(em, ids, { deed, note: note?.trim() || null, at });
      return { changed: ids.length, refused };
    }),
  );
}

/** Gives the holders of these addresses others of the same product, without asking and without counting. Errors: parameter_invalid. */
export async function exchangeSold(ctx: StaticContext, addresses: readonly string[]): Promise<InventoryOutcome> {
  const networks = checkNetworks(addresses);
  const found = await inTransaction(ctx, ({ em, clock }) => lockAddressesIn(em, networks, clock.now()));
  const outcome: InventoryOutcome = { changed: 0, refused: [] };
  for (const [planId, ofPlan] of Map.groupBy(found, (address) => address.planId)) {
    const refuse = (reason: string) => outcome.refused.push(...ofPlan.map(({ ip }) => ({ ip, reason: `${ip} ${reason}.` })));
    if (planId === null) {
      refuse('is not sold');
      continue;
    }
    const replaced = await replaceNow(ctx, { planId, addressIds: ofPlan.map(({ id }) => id), reason: 'OTHER', askedBy: 'SUPPORT' });
    if (typeof replaced === 'string')
      refuse(replaced === 'out_of_stock' ? 'stays: there is no other to give' : 'stays: its plan has changed');
    else outcome.changed += replaced.pairs.length;
  }
  return outcome;
}
