// The operator's command: `npm run --silent verify-books` checks that every journal sums to zero and every balance follows from its entries; it exits with 1
// when not.
import { withSubgraph } from '#platform/command.ts';
import { auditBooks } from '../billing/ledger/entities/uneven-books.ts';
import { composition } from '../composition.ts';
import { accounts } from '../subgraph.ts';

await withSubgraph(accounts, composition, async ({ em }, refuse) => {
  const { journals, entries, uneven } = await auditBooks(em);
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  write(`Journals: ${journals}, entries: ${entries}`);
  for (const { what, of, currency, entries: expected, stored } of uneven)
    write(`${what} ${of}: ${stored} ${currency}, by the entries ${expected}`);
  if (uneven.length > 0) throw refuse(`The books are off in ${uneven.length} places.`);
  write('The books balance to the cent.');
});
