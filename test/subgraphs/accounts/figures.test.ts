// The Prometheus figures on orders, money and mails agree with the database.
import { expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { placeOrder } from '../../kit/purchase.ts';
import { addRow } from '../../kit/tables.ts';
import { hideTable } from '../../kit/table-faults.ts';
import { dataOf } from './world.ts';
import { startBilling } from './billing/world.ts';
import { withDesk } from './billing/with-desk.ts';

const { world, desk } = await withDesk(startBilling({ SUPPORT_EMAIL: 'support@egress.test' }));
const figure = async (line: string) => {
  const text = await world.platform.metrics.registry.metrics();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length));
};

test('an order that waits, is paid, and stays undelivered is told in each of its states', async () => {
  const ada = await world.account('ada@example.com');
  const offer = world.offer(ada.id, {
    title: 'Premium, 10 GB',
    lines: [{ label: 'Premium, 10 GB', quantity: 10, amountMinor: 50_000 }],
    subtotalMinor: 50_000,
    totalMinor: 50_000,
  });
  const placed = await world.ask(ada.viewer, placeOrder('id', 'BANK_TRANSFER'), { offer, key: world.newKey() });
  const { id: orderId } = dataOf<{ id: string }>(placed, 'orderPlace');
  expect(await figure('egress_orders_waiting{status="PENDING",method="BANK_TRANSFER"}')).toBe(1);
  expect(await figure('egress_orders_undelivered_seconds')).toBe(0);
  expect(await figure('egress_paid_day{processor="bank",currency="USD"}')).toBeUndefined();

  await world.ask(desk.viewer, 'mutation ($input: SupportTransferConfirmInput!) { supportTransferConfirm(input: $input) { id } }', {
    input: { orderId, amountMinor: 50_000, bankReference: 'transfer 1', idempotencyKey: world.newKey() },
  });
  world.clock.advance(20 * MINUTE);
  expect(await figure('egress_orders_waiting{status="PAID",method="BANK_TRANSFER"}')).toBe(1);
  expect(await figure('egress_orders_waiting{status="PENDING",method="BANK_TRANSFER"}')).toBeUndefined();
  expect(await figure('egress_orders_undelivered_seconds')).toBe(1_200);
  expect(await figure('egress_paid_day{processor="bank",currency="USD"}')).toBe(50_000);
  expect(await figure('egress_payments_day{processor="bank",currency="USD"}')).toBe(1);

  world.clock.advance(DAY);
  expect(await figure('egress_payments_day{processor="bank",currency="USD"}')).toBeUndefined();
});

test('notifications that wait are counted, and browsers whose push service refuses them', async () => {
  const owner = await world.account('push@example.com');
  const of = { account_id: owner.id, session_id: 'sess_1', sealed: 'x', name: 'Firefox on Linux', created_at: 'now' };
  await addRow(world.query, 'accounts.push_device', { ...of, id: 'push_1', endpoint_digest: 'a', refused_at: 'now', refusal: '403: no' });
  await addRow(world.query, 'accounts.push_device', { ...of, id: 'push_2', endpoint_digest: 'b' });
  const message = { id: 'note_1', device_id: 'push_2', kind: 'push_test', topic: 't', sealed: 'x', created_at: 'now' };
  await addRow(world.query, 'accounts.push_message', { ...message, expires_at: '2099-01-01', next_try_at: '2099-01-01' });
  expect(await figure('egress_push_refused')).toBe(1);
  expect(await figure('egress_push_waiting')).toBe(1);
});

test('without a database there are no figures, and those of before are not told again', async () => {
  expect(await figure('egress_mails_refused')).toBe(0);
  const mend = await hideTable(world.query, 'accounts.mail');
  try {
    expect(await figure('egress_mails_refused')).toBeUndefined();
  } finally {
    await mend();
  }
  expect(await figure('egress_mails_refused')).toBe(0);
});

test('keys that end within seven days are counted, and no others', async () => {
  const owner = await world.account('keys@example.com');
  const day = (days: number) => new Date(world.clock.now().getTime() + days * DAY);
  const rows = [day(6), day(8), day(-1), null].map((expiresAt, index) => ({ id: `key_${index}`, expiresAt }));
  for (const { id, expiresAt } of rows)
    await addRow(world.query, 'accounts.api_key', {
      id,
      account_id: owner.id,
      hash: id,
      prefix: 'egress_live_',
      last_four: 'abcd',
      scopes: ['read'],
      kind: 'STANDARD',
      allowed_addresses: [],
      created_at: world.clock.now(),
      expires_at: expiresAt,
    });
  expect(await figure('egress_api_keys_ending')).toBe(1);
});
