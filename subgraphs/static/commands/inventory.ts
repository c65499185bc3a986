// Support's command for the inventory: `npm run --silent inventory -- COMMAND ...`. It calls the same services as the desk.
import { withSubgraph } from '#platform/command.ts';
import { sentenceOf } from '#platform/errors.ts';
import { composition } from '../composition.ts';
import { INVENTORY_ACTIONS, type InventoryAction } from '../inventory/domain/inventory-state.ts';
import type { StaticContext } from '../providers.ts';
import { type InventoryOutcome, changeInventory, holders, inventoryAddresses, overview, subnets } from '../inventory/services/inventory.ts';
import { exchangeSold } from '../delivery/services/exchange-sold.ts';
import { staticProxies } from '../subgraph.ts';

const COUNTS = ['total', 'free', 'held', 'heldUnpaid', 'sold', 'resting', 'reserved', 'retired'] as const;
const USAGE = `Usage: npm run --silent inventory -- COMMAND
  stock                    products, and how many addresses of each are ${COUNTS.slice(1).join(', ')}
  subnets PRODUCT          the same for each network of 256 addresses
  find WORDS               addresses by their beginning, a network, a plan or an account
  holders IP               who held an address, the latest first
  reserve|retire|return ADDRESS_OR_NETWORK ... [-- NOTE]
  exchange ADDRESS_OR_NETWORK ...
                           gives their holders other addresses`;

const table = (rows: (string | number | null)[][]) => rows.map((row) => row.map((cell) => cell ?? '-').join('\t')).join('\n');

const toText = ({ changed, refused }: InventoryOutcome) =>
  [`Addresses changed: ${changed}`, ...refused.map(({ reason }) => sentenceOf(reason))].join('\n');

async function run(ctx: StaticContext, [command = '', ...words]: string[], refuse: (sentence: string) => Error): Promise<string> {
  const [of = ''] = words;
  const action = INVENTORY_ACTIONS.find((each) => each === command.toUpperCase());
  if (action) return change(ctx, action, words);
  if (command === 'stock')
    return table([['product', ...COUNTS], ...(await overview(ctx)).map((row) => [row.product.id, ...COUNTS.map((name) => row[name])])]);
  if (of === '') throw refuse(USAGE);
  switch (command) {
    case 'subnets':
      return table([['network', ...COUNTS], ...(await subnets(ctx, of)).map((row) => [row.network, ...COUNTS.map((name) => row[name])])]);
    case 'find': {
      const { rows } = await inventoryAddresses(ctx, { search: of, page: 1, limit: 100 });
      return table(
        rows.map(({ ip, port, productId, location, state, planId, accountId, note }) => [
          `${ip}:${port}`,
          productId,
          location,
          state,
          planId,
          accountId,
          note,
        ]),
      );
    }
    case 'holders':
      return table(
        (await holders(ctx, { ip: of })).map(({ planId, accountId, startedAt, endedAt }) => [
          planId,
          accountId,
          startedAt.toISOString(),
          endedAt?.toISOString() ?? null,
        ]),
      );
    case 'exchange':
      return toText(await exchangeSold(ctx, words));
    default:
      throw refuse(USAGE);
  }
}

/** The words after a second `--` are the note. */
async function change(ctx: StaticContext, action: InventoryAction, words: string[]): Promise<string> {
  const end = words.indexOf('--');
  const addresses = end < 0 ? words : words.slice(0, end);
  const note = end < 0 ? null : words.slice(end + 1).join(' ');
  return toText(await changeInventory(ctx, { addresses, action, note }));
}

await withSubgraph(staticProxies, composition, async (ctx, refuse) => {
  process.stdout.write(`${await run(ctx, process.argv.slice(2), refuse)}\n`);
});
