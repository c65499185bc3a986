// The desk's commands on the prices of one account: `npm run --silent prices -- COMMAND ... --by EMAIL`. Who may do it stands in accounts; each seller has its own
// prices, so a command runs in the one that sells the item, or in all of them.
import { withSubgraph } from '#platform/command.ts';
import { printAnswer, typedCommand, typedWords, usageOf } from '#platform/desk-command.ts';
import type { Viewer } from '#platform/identity.ts';
import { PRICE_COMMANDS, PRICE_OPTIONS } from '#commerce/account-prices/price-commands.ts';
import { sellerOfItem } from '#commerce/catalogue/catalogue-file.ts';
import { composition } from './configuration.ts';
import { SELLERS, ofEachSeller } from './each-seller.ts';
import type { Seller } from './schema/subgraphs.ts';
import { asStaff } from './subgraphs/accounts/commands/as-staff.ts';
import { accountOf } from './subgraphs/accounts/commands/desk.ts';
import { accounts } from './subgraphs/accounts/subgraph.ts';

const NOTE =
  'ACCOUNT is an e-mail address or an id; VALUE a price as the catalogue has it, such as 1.10 or "1: 4.50, 10: 4.00", or 15% off it; AT an instant.';
const USAGE = usageOf('prices', PRICE_COMMANDS, { width: 96, note: NOTE });

const typed = typedWords(PRICE_OPTIONS);
const { name, by, given } = typed;

interface Begun {
  viewer: Viewer;
  command: (typeof PRICE_COMMANDS)[string];
  of: string;
  sellers: readonly Seller[];
}
let begun: Begun | undefined;
await withSubgraph(accounts, composition, async (system, refuse) => {
  const command = typedCommand(PRICE_COMMANDS, typed, USAGE, refuse);
  const { viewer } = await asStaff(system, by, refuse);
  const seller = sellerOfItem(given.item ?? '');
  if (given.item === undefined ? command.ofItem : seller === undefined)
    throw refuse('--item is an item of the catalogue, such as static.datacenter.');
  const word = typed.of ?? '';
  const of = command.ofAccount ? (await accountOf(system, word)).id : word;
  begun = { viewer, command, of, sellers: seller ? [seller] : SELLERS };
});
if (begun) {
  const { viewer, command, of, sellers } = begun;
  await ofEachSeller(sellers, (system, refuse, seller) =>
    printAnswer({ ...system, viewer }, refuse, name, command, { ...given, of, seller }),
  );
}
