// The evidence that a bank is sent about a product that was really used, for each seller: when, from where, how many bytes, and what was requested.
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, expect, test } from 'vitest';
import { evidenceOf } from '../../../../../subgraphs/accounts/billing/disputes/services/evidence.ts';
import { findDispute } from '../../../../../subgraphs/accounts/billing/disputes/services/dispute-desk.ts';
import { receiveUsageReport } from '../../../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { importInventory } from '../../../../../subgraphs/static/inventory/services/import-inventory.ts';
import { buyPackage, orderAndPay } from '../../../../kit/purchase.ts';
import { startStack } from '../../../../kit/stack.ts';
import { checkoutOf, rowOf } from '../../../../kit/tables.ts';
import { buyVps, customerOf, passTime } from '../../../compute/bought-vps.ts';

const stack = await startStack();
afterAll(() => stack.close());
const { query } = stack.database;
const customer = await customerOf(stack);

/** Disputes an order as its payer, and returns what the bank is sent: the text of the pages, and the attached log. */
async function packOf(orderId: string): Promise<{ pages: string; log: string }> {
  const { id: processorId } = stack.sandbox.card.bank.dispute(await checkoutOf(query, orderId));
  await stack.settle();
  const dispute = await rowOf<{ id: string }>(query, 'accounts.dispute', { processor_id: processorId });
  const ctx = stack.subgraphs.accounts.systemContext('test');
  const { pdf, accessLog: log } = await evidenceOf(ctx, await findDispute(ctx, dispute?.id ?? ''));
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  return { pages: text.replaceAll(/\s+/g, ' '), log };
}

test('of a package: each share of its traffic with its time, the address that it was used from, and its bytes', async () => {
  const person = await stack.seed.account();
  const { planId } = await buyPackage(stack, person);
  const plan = await rowOf<{ username: string; order_id: string }>(query, 'residential.plan', { id: planId });
  const at = stack.clock.now();
  const line = { username: plan?.username ?? '', at, upBytes: 1_234n, country: 'us' };
  await receiveUsageReport(stack.subgraphs.residential.systemContext('test'), {
    source: 'network',
    reportId: planId,
    lines: [
      { ...line, line: 0, downBytes: 56_789n, client: '203.0.113.7', host: 'one.test' },
      { ...line, line: 1, downBytes: 10n, client: '203.0.113.8', host: 'two.test' },
    ],
  });
  const { pages, log } = await packOf(plan?.order_id ?? '');
  for (const said of [
    `${at.toISOString()} from 203.0.113.7 to one.test through us: 1234 bytes up, 56789 bytes down`,
    `${at.toISOString()} from 203.0.113.8 to two.test through us: 1234 bytes up, 10 bytes down`,
  ]) {
    expect(log).toContain(said);
    expect(pages).toContain(said);
  }
  expect(pages).toContain(`Proxy traffic of the package ${planId}`);
  expect(pages).toMatch(/order\.placed from 127\.0\.0\.1/);
});

test('of a static plan: which addresses it held, and since when', async () => {
  const lines = Array.from({ length: 5 }, (_, index) => `203.0.113.${index + 1},8000,isp-northline,Frankfurt`);
  await importInventory(stack.subgraphs.static.systemContext('test'), ['ip,port,product,location', ...lines].join('\n'));
  const { staticOfferMake } = await customer.ask<{ staticOfferMake: { token: string } }>(
    'mutation { staticOfferMake(productId: "isp-northline", quantity: 2) { token } }',
  );
  const { id, resourceId } = await orderAndPay(stack, customer.ask, staticOfferMake.token);
  const { staticPlan } = await customer.ask<{ staticPlan: { proxies: string[] } }>('query ($id: ID!) { staticPlan(id: $id) { proxies } }', {
    id: resourceId,
  });
  const plan = await rowOf<{ delivered_at: Date }>(query, 'static.plan', { id: resourceId });
  const { pages, log } = await packOf(id);
  expect(staticPlan.proxies).toHaveLength(2);
  for (const proxy of staticPlan.proxies)
    expect(log).toContain(`${plan?.delivered_at.toISOString()} held ${proxy.split(':').slice(0, 2).join(':')} in Frankfurt`);
  expect(pages).toContain(`Addresses of the plan ${resourceId}`);
});

test('of a server: what was asked of it, and when it was done', async () => {
  const { id, orderId } = await buyVps(stack, customer);
  await customer.ask('mutation ($id: ID!) { vpsReboot(id: $id) { id } }', { id });
  await passTime(stack);
  const { pages, log } = await packOf(orderId);
  expect(log).toMatch(/\d{4}-\d\d-\d\dT\S+ BUILD asked for: SUCCESS at \d{4}-/);
  expect(log).toMatch(/\d{4}-\d\d-\d\dT\S+ REBOOT asked for: SUCCESS at \d{4}-/);
  expect(pages).toContain(`What was done with the server ${id}`);
});
