// The desk's commands that pay credit out.
import { expect, test } from 'vitest';
import { CREDIT_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-credit.ts';
import { DISPUTE_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-disputes.ts';
import type { Words } from '../../../../subgraphs/accounts/commands/desk.ts';
import { payOutsIn } from '../billing/refunds/pay-outs.ts';
import { withDesk } from '../billing/with-desk.ts';
import { type Person, startBilling } from '../billing/world.ts';

const { world, desk: ada } = await withDesk(startBilling());
const bea = await world.account('bea@example.com', 'STAFF');
const by =
  ({ viewer }: Person) =>
  async (command: string, of = '', more: Partial<Words> = {}) =>
    ({ ...CREDIT_COMMANDS, ...DISPUTE_COMMANDS })[command]?.run(world.as(viewer), { ...more, of }) ?? expect.fail(`no ${command}`);
const [desk, colleague] = [by(ada), by(bea)];

test('credit that came from money is shown with where it goes, and paid out; more of it by two members of staff', async () => {
  const cleo = await world.account('paid@example.com');
  const { id } = await world.buy(cleo);
  await world.refund(ada.viewer, { orderId: id, destination: 'CREDIT' });
  expect(await desk('credit-payable', 'paid@example.com')).toMatch(/^25\.00 USD\tCARD\tby itself\tcard:pi_\w+$/);
  await expect(desk('credit-pay-out', 'paid@example.com', { amount: '5.00' })).rejects.toThrow('--reason TEXT');
  await expect(desk('credit-pay-out', cleo.id, { amount: '5e1', reason: 'Asked for' })).rejects.toThrow('not 5e1');
  expect(await desk('credit-pay-out', cleo.id, { amount: '5.00', reason: 'Asked for' })).toMatch(/^5\.00 USD\tCARD\tby itself\t/);
  await expect(desk('credit-request', cleo.id, { amount: '1', reason: 'Asked for', kind: 'loan' })).rejects.toThrow('grant, pay_out');
  const [asked = ''] = (await desk('credit-request', cleo.id, { amount: '20.00', reason: 'Asked for', kind: 'pay_out' })).split(' ');
  expect(await colleague('credit-requests')).toContain(`${asked}\tPAY_OUT\t${cleo.id}\t20.00 USD`);
  expect(await colleague('credit-agree', asked)).toBe(`${cleo.id} has 20.00 USD less: it is paid out.`);
  expect(await desk('credit-payable', cleo.id)).toBe('');
});

test('what a person has to send is listed, and is said to be sent', async () => {
  const dot = await world.account('dot@example.com');
  const reference = await payOutsIn(world, ada).creditByTransfer(dot, 60_000);
  expect(await desk('credit-payable', dot.id)).toBe(`600.00 USD\tBANK_TRANSFER\tby hand\tbank:${reference}`);
  await desk('credit-pay-out', dot.id, { amount: '100.00', reason: 'Asked for', to: 'DE02120300000000202051' });
  const [id = '', ...rest] = (await desk('failed-refunds')).split('\t');
  expect(rest).toEqual([dot.id, '100.00 USD', 'to DE02120300000000202051']);
  expect(await desk('resolve-refund', id, { kind: 'sent', reference: 'our transfer 7' })).toBe(`${id} is DONE.`);
  expect(await desk('failed-refunds')).toBe('');
});
