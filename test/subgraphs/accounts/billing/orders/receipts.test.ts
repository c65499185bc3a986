import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BillingWorld, startBilling } from '../world.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await startBilling();
});
afterAll(() => world.close());

test('who has paid gets a receipt with the invoice attached, the same file as in the dashboard', async () => {
  const ada = await world.account('ada@example.com');
  await world.buy(ada);
  const receipt = (await world.mailed(ada.email)).find(({ subject }) => subject.startsWith('Paid:'));
  expect(receipt?.text).toContain('The invoice is attached.');
  expect(receipt?.attachments).toEqual([{ name: 'INV-2026-000001.pdf', type: 'application/pdf', bytes: expect.any(Number) as number }]);
  const page = await (await fetch(`${world.sandbox.urls.mail}/${receipt?.id}`)).text();
  expect(page).toContain('INV-2026-000001.pdf');
  const file = await fetch(`${world.sandbox.urls.mail}/${receipt?.id}/attachments/0`);
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('what costs nothing has no receipt', async () => {
  const ben = await world.account('ben@example.com');
  await world.buy(ben, { lines: [], subtotalMinor: 0, totalMinor: 0 });
  expect((await world.mailed(ben.email)).map(({ subject }) => subject)).toEqual([]);
});
