import { expect, test } from 'vitest';
import { type CreditFacts, type CreditMove, lotsOf } from '../../../../../../subgraphs/accounts/billing/ledger/domain/credit-lots.ts';

let journals = 0;
const move = (kind: CreditMove['kind'], reference: string, amountMinor: number): CreditMove => ({
  id: `jrn_${++journals}`,
  kind,
  reference,
  amountMinor,
});
const facts = (known: Partial<CreditFacts> = {}): CreditFacts => ({
  charges: new Map(),
  givenBack: new Map(),
  takers: new Map(),
  ...known,
});
const left = (moves: CreditMove[], known: Partial<CreditFacts> = {}) =>
  lotsOf(moves, facts(known)).map(({ chargeId, leftMinor }) => [chargeId, leftMinor]);
const paidByCard = (orderId: string, openMinor: number) => ({ charges: new Map([[orderId, { id: `card:of_${orderId}`, openMinor }]]) });

test('what came first is spent first, a gift too', () => {
  const moves = [move('credit_granted', 'crdt_1', 100), move('transfer_credited', 'transfer:A', 200), move('credit_held', 'ord_1', -150)];
  expect(left(moves)).toEqual([['bank:A', 150]]);
});

test('every part of coins belongs to their checkout, and a payment that came too late to itself', () => {
  const moves = [
    move('crypto_credited', 'checkout:one:500', 500),
    move('crypto_credited', 'checkout:one:700', 200),
    move('payment_credited', 'card:pi_1', 300),
  ];
  expect(left(moves)).toEqual([
    ['crypto:checkout:one', 500],
    ['crypto:checkout:one', 200],
    ['card:pi_1', 300],
  ]);
});

test('what was held for an order that nobody paid is there again, in its old place', () => {
  const moves = [
    move('credit_granted', 'crdt_1', 100),
    move('transfer_credited', 'transfer:A', 200),
    move('credit_held', 'ord_1', -100),
    move('credit_held', 'ord_1:150', -50),
    move('credit_released', 'ord_1', 150),
  ];
  expect(left(moves)).toEqual([
    [null, 100],
    ['bank:A', 200],
  ]);
});

test('a refund to credit comes from the charge first, as far as it has not been given back, then from the credit that paid', () => {
  const moves = [
    move('credit_granted', 'crdt_1', 40),
    move('credit_held', 'ord_1', -40),
    move('refund_granted', 'rfnd_1', 70),
    move('refund_granted', 'rfnd_2', 30),
  ];
  const givenBack = new Map([
    ['rfnd_1', [{ orderId: 'ord_1', amountMinor: 70 }]],
    ['rfnd_2', [{ orderId: 'ord_1', amountMinor: 30 }]],
  ]);
  expect(left(moves, { ...paidByCard('ord_1', 60), givenBack })).toEqual([
    [null, 40],
    ['card:of_ord_1', 60],
  ]);
});

test('what a change gives back of several invoices comes from the charge of each; what no invoice explains nobody has paid', () => {
  const charges = new Map([
    ['ord_1', { id: 'card:1', openMinor: 50 }],
    ['ord_2', { id: 'card:2', openMinor: 50 }],
  ]);
  const givenBack = new Map([
    [
      'ord_3',
      [
        { orderId: 'ord_2', amountMinor: 50 },
        { orderId: 'ord_1', amountMinor: 20 },
        { orderId: null, amountMinor: 5 },
      ],
    ],
  ]);
  expect(left([move('change_credited', 'ord_3', 75)], { charges, givenBack })).toEqual([
    ['card:2', 50],
    ['card:1', 20],
    [null, 5],
  ]);
});

test('a pay-out takes the credit of its own charge, and brings it back when it does not arrive', () => {
  const takers = new Map([['pout_1_0', 'bank:B']]);
  const moves = [
    move('transfer_credited', 'transfer:A', 100),
    move('transfer_credited', 'transfer:B', 200),
    move('credit_paid_out', 'pout_1_0', -150),
  ];
  expect(left(moves, { takers })).toEqual([
    ['bank:A', 100],
    ['bank:B', 50],
  ]);
  expect(left([...moves, move('refund_credited', 'pout_1_0:1', 150)], { takers })).toEqual([
    ['bank:A', 100],
    ['bank:B', 200],
  ]);
});

test('what is taken back is that very credit first', () => {
  const gift = move('credit_granted', 'crdt_1', 100);
  expect(left([move('transfer_credited', 'transfer:A', 100), gift, move('credit_reversed', gift.id, -80)])).toEqual([
    ['bank:A', 100],
    [null, 20],
  ]);
});
