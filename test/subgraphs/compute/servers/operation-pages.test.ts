// What was done to a server, page after page: every operation once, also where many began at the same moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compute } from '../../../../subgraphs/compute/subgraph.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { openRoom } from '../../../kit/room.ts';
import { addRow } from '../../../kit/tables.ts';
import { computeTables } from '../tables.ts';

const room = await openRoom(compute);
afterAll(() => room.close());
const [VPS, OTHER] = [`vps_${'1'.repeat(26)}`, `vps_${'2'.repeat(26)}`];
const idOf = (number: number) => `op_${String(number).padStart(26, '0')}`;
const COUNT = 230;

beforeAll(async () => {
  for (const [id, accountId] of [
    [VPS, 'acct_owner'],
    [OTHER, 'acct_other'],
  ] as const)
    await computeTables(room.query).addServer({ id, accountId });
  for (let number = 0; number <= COUNT; number++)
    await addRow(room.query, 'compute.operation', {
      id: idOf(number),
      server_id: number === COUNT ? OTHER : VPS,
      account_id: number === COUNT ? 'acct_other' : 'acct_owner',
      command: 'REBOOT',
      status: 'SUCCESS',
      step: 'RESTART',
      next_at: 'infinity',
      // Fifty at each moment.
      started_at: `2026-01-01T00:0${Math.floor(number / 50)}:00Z`,
      finished_at: '2026-01-02T00:00:00Z',
    });
});

interface Page {
  items: { id: string }[];
  next: string | null;
}
async function page(variables: { first?: number; after?: string | null }): Promise<Page | string> {
  const { data, errors } = await room.ask(
    sessionOf('acct_owner'),
    `query ($id: ID!, $first: Int! = 25, $after: ID) { server(id: $id) { operationPage(first: $first, after: $after) { items { id } next } } }`,
    { id: VPS, ...variables },
  );
  return String(errors?.[0]?.extensions['code'] ?? '') || (data as { server: { operationPage: Page } }).server.operationPage;
}

test('the pages have every operation once, the newest first', async () => {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const { items, next } = (await page({ first: 40, after })) as Page;
    ids.push(...items.map(({ id }) => id));
    if (next === null) break;
    expect([items.length, next]).toEqual([40, items.at(-1)?.id]);
    after = next;
  }
  expect(ids).toEqual(Array.from({ length: COUNT }, (_, number) => idOf(COUNT - 1 - number)));
});

test('a page is of 25 unless asked, of 1 to 100, and after an operation of another server there is none', async () => {
  expect(((await page({})) as Page).items).toHaveLength(25);
  for (const first of [0, 101]) expect(await page({ first })).toBe('limit_invalid');
  for (const after of [idOf(COUNT), 'op_absent', '']) expect(await page({ after })).toEqual({ items: [], next: null });
});
