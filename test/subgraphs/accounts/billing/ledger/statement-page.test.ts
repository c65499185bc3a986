// Reading a page of an account's credit costs the same however many entries the account has.
import { afterAll, expect, test } from 'vitest';
import { creditPage } from '../../../../../subgraphs/accounts/billing/ledger/entities/ledger-entry.ts';
import { costOf, insertGrants } from '../../../../kit/many-papers.ts';
import { dataOf } from '../../world.ts';
import { startBilling } from '../world.ts';

const COUNT = 2_000;
const world = await startBilling();
afterAll(() => world.close());
const ada = await world.account('ada@example.com');
for (const { id } of [ada, await world.account('other@example.com')]) await insertGrants(world.query, id, COUNT);

interface Page {
  items: { id: string; balance: { amountMinor: number } }[];
  next: string | null;
}
const pageOf = async (after: string | null): Promise<Page> =>
  dataOf<{ credit: { statement: Page } }>(
    await world.ask(
      ada.viewer,
      'query ($after: ID) { me { credit { statement(first: 25, after: $after) { items { id balance { amountMinor } } next } } } }',
      { after },
    ),
    'me',
  ).credit.statement;

test('the first page of a statement reads its own lines by the index, and none of those before them', async () => {
  const { sql, parameters } = creditPage({ accountId: ada.id, after: null, limit: 26 }).compile(world.context().em.getKysely());
  const { nodes, rows } = await costOf(world.query, sql, [...parameters]);
  expect(nodes).not.toContain('Seq Scan');
  expect(rows).toBeLessThanOrEqual(26);
});

test('every line says what the account had after it, on every page', async () => {
  const seen: number[] = [];
  let after: string | null = null;
  do {
    const page: Page = await pageOf(after);
    seen.push(...page.items.map(({ balance }) => balance.amountMinor));
    after = page.next;
  } while (after !== null);
  expect(seen).toEqual(Array.from({ length: COUNT }, (_, index) => COUNT - index));
});
