import { expect, test } from 'vitest';
import { codeOf, PASSWORD } from '../../world.ts';
import { startBilling } from '../world.ts';
import { withDesk } from '../with-desk.ts';
import { rowsOf } from '../../../../kit/tables.ts';

const { world, desk } = await withDesk(startBilling());
const CLOSE = 'mutation ($password: String) { accountClose(password: $password) { what } }';
const close = async (email: string) => codeOf(await world.ask((await world.logIn(email)).viewer, CLOSE, { password: PASSWORD }));

test('a closed account leaves nothing to pay, is told of its credit, and is forgotten at the processor with its cards', async () => {
  const { card } = world.sandbox;
  const ada = await world.account('ada@example.com');
  await world.grant(ada.id, 1_234, desk.viewer);
  await world.ask(ada.viewer, 'mutation { cardAdd { url } }');
  const setup = card.sessions().find(({ mode }) => mode === 'setup');
  card.payCheckout(setup?.id ?? '');
  await world.settle();
  const order = await world.place(ada);
  const checkout = await world.checkoutOf(order.id);
  expect(card.bank.customers()).toHaveLength(1);

  expect(await close('ada@example.com')).toBeUndefined();
  await world.settle();
  expect(card.sessions().find(({ id }) => id === checkout)?.status).toBe('expired');
  expect(card.payCheckout(checkout)).toEqual({ outcome: 'closed', status: 'expired' });
  expect(card.bank.customers()).toEqual([]);
  expect(await rowsOf(world.query, 'accounts.card_customer', { account_id: ada.id })).toEqual([]);
  const mails = await world.mailed('ada@example.com');
  expect(
    mails.find(({ subject }) => subject === '$12.34 of credit was left in your account' || /12\.34.*credit was left/.test(subject)),
  ).toBeDefined();
});

test('a processor that does not answer is asked again until it has forgotten', async () => {
  const ben = await world.account('ben@example.com');
  await world.ask(ben.viewer, 'mutation { cardAdd { url } }');
  world.sandbox.card.faults.api.next.push(
    { fault: 'error_before_effect', on: 'DELETE /v1/customers' },
    { fault: 'error_before_effect', on: 'DELETE /v1/customers' },
  );
  expect(await close('ben@example.com')).toBeUndefined();
  await world.settle();
  world.clock.advance(60_000);
  await world.platform.queue.runNow('accounts.sweep');
  await world.settle();
  expect(world.sandbox.card.bank.customers()).toEqual([]);
});
