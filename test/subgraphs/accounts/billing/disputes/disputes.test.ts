import { expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { planFaults } from '../../../../kit/faults.ts';
import { codeOf, dataOf } from '../../world.ts';
import { expectInvariants } from '../invariants.ts';
import { startBilling } from '../world.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startBilling());
const { bank } = world.sandbox.card;

const DISPUTES = `query ($open: Boolean) { supportDisputes(open: $open) { id stage status reason amount { amountMinor } fee { amountMinor }
  respondBy submittedAt frozenAt closedAt records order { id status invoices { kind total { amountMinor } paid { amountMinor } } } } }`;
interface Listed {
  id: string;
  status: string;
  frozenAt: string | null;
  order: { id: string };
}
const disputesOf = async (orderId: string, open = true): Promise<Listed[]> =>
  dataOf<Listed[]>(await world.ask(desk.viewer, DISPUTES, { open }), 'supportDisputes').filter(({ order }) => order.id === orderId);
const disputed = async (name: string, terms: Parameters<typeof bank.dispute>[1] = {}) => {
  const person = await world.account(`${name}@example.com`);
  const { id } = await world.buy(person);
  const { id: disputeId } = bank.dispute(await world.checkoutOf(id), terms);
  await world.settle();
  return { person, id, disputeId };
};
const mailsOf = (subject: RegExp) => world.sandbox.mail.messages().filter((mail) => subject.test(mail.subject));

test('a dispute is on the desk with its deadline, its money and its fee in the books, and what was bought stands still', async () => {
  const before = await world.books();
  const { id } = await disputed('ada');
  expect(await disputesOf(id)).toMatchObject([
    { stage: 'DISPUTE', status: 'NEEDS_RESPONSE', reason: 'FRAUD', amount: { amountMinor: 2_500 }, fee: { amountMinor: 1_500 } },
  ]);
  const [{ frozenAt }] = (await disputesOf(id)) as [Listed];
  expect(frozenAt).not.toBeNull();
  const after = await world.books();
  expect([after['DISPUTED'], after['FEES'], after['PROCESSOR']]).toEqual([2_500, 1_500, (before['PROCESSOR'] ?? 0) - 1_500]);
  expect(mailsOf(/is disputed/)).toHaveLength(1);
  expect(mailsOf(/^On hold/)).toHaveLength(1);
});

test('evidence is sent once; what is won comes back, and what was bought goes on', async () => {
  const { id, disputeId } = await disputed('ben');
  const [{ id: ours }] = (await disputesOf(id)) as [Listed];
  const submit = () =>
    world.ask(desk.viewer, 'mutation ($id: ID!) { supportDisputeSubmit(id: $id, statement: "They used it.") { status submittedAt } }', {
      id: ours,
    });
  expect(dataOf(await submit(), 'supportDisputeSubmit')).toMatchObject({ status: 'UNDER_REVIEW' });
  expect(codeOf(await submit())).toBe('action_not_allowed');
  const { evidence } = bank.disputes().find((one) => one.id === disputeId) ?? {};
  expect(evidence).toMatchObject({ customer_email_address: 'ben@example.com', service_documentation: expect.stringMatching(/^file_/) });
  expect(evidence?.access_activity_log).toContain('order.placed');
  bank.decide(disputeId, 'won');
  await world.settle();
  expect(await disputesOf(id, false)).toMatchObject([{ status: 'WON', frozenAt: null, order: { invoices: [{ kind: 'INVOICE' }] } }]);
  expect(mailsOf(/^Running again/)).toHaveLength(1);
});

test('what is lost undoes the sale with a credit note, once, however often it is told', async () => {
  const { id, disputeId } = await disputed('cleo');
  const [{ id: ours }] = (await disputesOf(id)) as [Listed];
  const given = await world.ask(desk.viewer, 'mutation ($id: ID!) { supportDisputeGiveIn(id: $id) { status } }', { id: ours });
  expect(dataOf(given, 'supportDisputeGiveIn')).toEqual({ status: 'LOST' });
  for (const { id: event } of world.sandbox.card.events().filter(({ data }) => (data.object as { id?: string }).id === disputeId))
    await world.sandbox.card.redeliver(event);
  await world.settle();
  expect(await disputesOf(id, false)).toMatchObject([
    {
      status: 'LOST',
      frozenAt: expect.any(String),
      order: { invoices: [{ kind: 'INVOICE' }, { kind: 'CREDIT_NOTE', total: { amountMinor: 2_500 }, paid: { amountMinor: 2_500 } }] },
    },
  ]);
  expect(await world.books(ours)).toEqual({ DISPUTED: -2_500, REVENUE: 2_500 });
  expect(codeOf(await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT' }))).toBe('parameter_invalid');
});

test('money that was given back before and is disputed all the same is a loss, and no second credit note', async () => {
  const person = await world.account('dan@example.com');
  const { id } = await world.buy(person);
  await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT' });
  const { id: disputeId } = bank.dispute(await world.checkoutOf(id));
  await world.settle();
  bank.decide(disputeId, 'lost');
  await world.settle();
  const [{ id: ours, order }] = (await disputesOf(id, false)) as [Listed & { order: { invoices: object[] } }];
  expect(order.invoices).toHaveLength(2);
  expect(await world.books(ours)).toEqual({ DISPUTED: -2_500, LOSSES: 2_500 });
});

test.each([
  ['whole', undefined, 1],
  ['in part', 1_000, 2],
])('what was lost %s and is won after all is booked back, and the sale stands again by one invoice', async (_, amount, notes) => {
  const name = `ina${amount ?? ''}`;
  const before = await world.books();
  const { person, id, disputeId } = await disputed(name, amount === undefined ? {} : { amount });
  const decideAs = async (outcome: 'won' | 'lost') => {
    bank.decide(disputeId, outcome);
    await world.settle();
  };
  await decideAs('lost');
  bank.appeal(disputeId);
  await world.settle();
  expect(await disputesOf(id)).toMatchObject([{ status: 'UNDER_REVIEW', closedAt: null, frozenAt: expect.any(String) }]);
  await decideAs('won');
  const [{ id: ours }] = (await disputesOf(id, false)) as [Listed];
  const charged = amount ?? 2_500;
  expect(await world.books(ours)).toEqual({});
  const { DISPUTED = 0, REVENUE = 0, FEES = 0 } = await world.books();
  expect([DISPUTED - (before['DISPUTED'] ?? 0), REVENUE - (before['REVENUE'] ?? 0), FEES - (before['FEES'] ?? 0)]).toEqual([
    0, -2_500, 1_500,
  ]);
  const { invoices } = dataOf<{ invoices: { kind: string; due: { amountMinor: number }; total: { amountMinor: number } }[] }>(
    await world.ask(person.viewer, '{ me { invoices { kind total { amountMinor } due { amountMinor } } } }'),
    'me',
  );
  expect(invoices.map(({ due }) => due.amountMinor)).toEqual(invoices.map(() => 0));
  expect(invoices.filter(({ kind }) => kind === 'INVOICE').map(({ total }) => total.amountMinor)).toEqual([2_500, 2_500]);
  expect(invoices.filter(({ kind }) => kind === 'CREDIT_NOTE')).toHaveLength(notes);
  expect(dataOf(await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT' }), 'supportOrderRefund')).toMatchObject({
    amount: { amountMinor: 2_500 },
  });
  await expectInvariants(world, `after ${charged} was lost and won`);
});

test('what is appealed against and lost again is lost once in the books', async () => {
  const { id, disputeId } = await disputed('ivy');
  const [{ id: ours }] = (await disputesOf(id)) as [Listed];
  bank.decide(disputeId, 'lost');
  await world.settle();
  bank.appeal(disputeId);
  bank.decide(disputeId, 'lost');
  await world.settle();
  expect(await world.books(ours)).toEqual({ DISPUTED: -2_500, REVENUE: 2_500 });
});

test('an inquiry moves no money and stops nothing; the desk is warned of a deadline once', async () => {
  const { id } = await disputed('eva', { inquiry: true });
  expect(await disputesOf(id)).toMatchObject([{ stage: 'INQUIRY', status: 'NEEDS_RESPONSE', frozenAt: null, fee: { amountMinor: 0 } }]);
  const due = mailsOf(/is lost unless/).length;
  world.clock.advance(7.5 * DAY);
  await world.platform.queue.runNow('accounts.disputes-watch');
  await world.platform.queue.runNow('accounts.disputes-watch');
  await world.settle();
  // One mail about Ada's dispute, and one about this.
  expect(mailsOf(/is lost unless/).length - due).toBe(2);
  world.clock.advance(3 * DAY);
  world.sandbox.card.tick();
  await world.settle();
  expect(await disputesOf(id, false)).toMatchObject([{ status: 'CLOSED' }]);
});

test('a dispute whose every notice is lost is brought up to what the processor says', async () => {
  const { id, disputeId } = await disputed('fay');
  world.sandbox.card.faults.webhooks.drop = 1;
  bank.decide(disputeId, 'won');
  await world.settle();
  world.sandbox.card.faults.webhooks.drop = 0;
  await world.platform.queue.runNow('accounts.disputes-watch');
  expect(await disputesOf(id, false)).toMatchObject([{ status: 'WON', frozenAt: null }]);
});

test('a warning of fraud is on the desk until somebody has done with it; nothing happens by itself', async () => {
  const gus = await world.account('gus@example.com');
  const { id } = await world.place(gus);
  await world.pay(id, '4000000000005423');
  await world.settle();
  // As if the warning had come before the payment was known: it is processed again.
  const noticeId = world.sandbox.card.events().find(({ type }) => type === 'radar.early_fraud_warning.created')?.id ?? '';
  await world.platform.queue.runNow('accounts.notice-process', { source: 'card', noticeId });
  const LIST = '{ supportFraudWarnings { id kind actionable order { id status refunds { id } } } }';
  const [warning, ...others] = dataOf<{ id: string }[]>(await world.ask(desk.viewer, LIST), 'supportFraudWarnings');
  expect([warning, others]).toMatchObject([{ actionable: true, order: { id, refunds: [] } }, []]);
  await world.ask(desk.viewer, 'mutation ($id: ID!) { supportFraudWarningClose(id: $id) { closedAt } }', { id: warning?.id });
  expect(dataOf(await world.ask(desk.viewer, LIST), 'supportFraudWarnings')).toEqual([]);
});

test.each([
  ['before its dispute was lost', false],
  ['after it', true],
])('a refund that fails %s is not owed beside what the bank keeps, and is owed again when that is won after all', async (_, isLate) => {
  const before = await world.books();
  const since = async (ledger: string) => ((await world.books())[ledger] ?? 0) - (before[ledger] ?? 0);
  const { person, id, disputeId } = await disputed(`jon${isLate}`);
  const lose = async () => {
    bank.decide(disputeId, 'lost');
    await world.settle();
  };
  const fault = { fault: 'error_before_effect', on: 'POST /v1/refunds' } as const;
  if (isLate) planFaults(world.sandbox.card.faults.api.next, fault, fault, fault);
  await world.refund(desk.viewer, { orderId: id, destination: 'CARD', amountMinor: 1_000 });
  await world.settle();
  await lose();
  world.clock.advance(HOUR);
  await world.platform.queue.runNow('accounts.sweep');
  await world.settle();
  const seen = async () =>
    dataOf<object>(
      await world.ask(
        person.viewer,
        '{ me { orders { refunds { status } invoices { kind total { amountMinor } due { amountMinor } } } } }',
      ),
      'me',
    );
  const settled = (kind: string, amountMinor: number) => ({ kind, total: { amountMinor }, due: { amountMinor: 0 } });
  const invoices = [settled('INVOICE', 2_500), settled('CREDIT_NOTE', 1_000), settled('CREDIT_NOTE', 1_500)];
  expect(await seen()).toMatchObject({ orders: [{ refunds: [{ status: 'NOT_OWED' }], invoices }] });
  expect([await since('REFUND_OWED'), await since('LOSSES'), await since('REVENUE')]).toEqual([0, 0, 0]);
  bank.appeal(disputeId);
  bank.decide(disputeId, 'won');
  await world.settle();
  expect(await seen()).toMatchObject({ orders: [{ refunds: [{ status: 'FAILED' }] }] });
  expect([await since('REFUND_OWED'), await since('LOSSES'), await since('REVENUE')]).toEqual([-1_000, 0, -1_500]);
  await expectInvariants(world, 'after what the bank kept was won');
});

test('only staff see disputes', async () => {
  const hal = await world.account('hal@example.com');
  expect(codeOf(await world.ask(hal.viewer, DISPUTES))).toBe('forbidden');
});
