// What moves the merchant's own account at PayPal, each with its transaction event code:
// https://developer.paypal.com/docs/transaction-search/transaction-event-codes/, https://developer.paypal.com/docs/reports/reference/tcodes/
import { type Books, newId } from './books.ts';
import { toMoney, unitsOf } from './money.ts';
import type { AccountEntry, Capture, Money, Movement, PayPalDispute, PayPalRefund } from './state.ts';

/** "3.49% + $0.49" of a payment by PayPal Checkout, not given back with a refund: https://www.paypal.com/us/business/paypal-business-fees */
export const captureFee = (units: number): number => Math.round((units * 349) / 10_000) + 49;

const CODES = {
  checkout: 'T0006',
  /** "Pre-approved payment": what was saved is charged. */
  approved: 'T0003',
  /** "General withdrawal from PayPal account": "settlement withdrawal or user-initiated". */
  withdrawal: 'T0400',
  /** "Reversal of ACH withdrawal transaction": the bank has sent it back. */
  returned: 'T1101',
  refund: 'T1107',
  /** "Payment reversal, initiated by PayPal". */
  reversal: 'T1106',
  /** "Hold for dispute investigation", "to cover possible chargeback", and its cancellation. */
  hold: 'T1110',
  holdEnded: 'T1111',
  chargeback: 'T1201',
  /** "Dispute fee", "chargeback processing fee". */
  DISPUTE_FEE: 'T0114',
  CHARGEBACK_FEE: 'T0106',
} as const;

type Given = Omit<AccountEntry, 'fee' | 'at' | 'status' | 'custom'> & Partial<Pick<AccountEntry, 'fee' | 'at' | 'status' | 'custom'>>;

function enter(books: Books, given: Given): void {
  books.state.entries.push({ fee: undefined, status: 'S', custom: undefined, at: books.now(), ...given });
  books.changed();
}

const minus = ({ value, currency_code }: Money): Money => toMoney(-unitsOf({ value, currency_code }, '/amount'), currency_code);

/** A capture was taken, or is on its way: then it moves nothing yet. */
export function enterCapture(books: Books, capture: Capture, isSaved: boolean): void {
  const { id, orderId, amount, status } = capture;
  const fee = toMoney(-captureFee(unitsOf(amount, '/amount')), amount.currency_code);
  const custom = books.state.orders[orderId]?.unit.custom_id;
  const code = isSaved ? CODES.approved : CODES.checkout;
  enter(books, { id, code, reference: undefined, amount, fee, custom, status: status === 'PENDING' ? 'P' : 'S' });
}

/** What was on its way keeps the date that it began with. */
export function settleEntry({ state }: Books, capture: Capture): void {
  const entry = state.entries.find(({ id }) => id === capture.id);
  if (entry) entry.status = capture.status === 'DECLINED' ? 'D' : 'S';
}

/** Given back, or come back from there. */
export function enterRefund(books: Books, { id, captureId, amount }: PayPalRefund, way: 'out' | 'back'): void {
  enter(books, { id, code: CODES.refund, reference: captureId, amount: way === 'out' ? minus(amount) : amount });
}

/** What is disputed is held, whoever asks for it back, and what a payer does not win comes back. */
export function enterDispute(books: Books, { captureId }: PayPalDispute, { type, reason, amount }: Movement): void {
  if (reason === 'DISPUTE_SETTLEMENT' && type === 'CREDIT') return endHold(books, captureId);
  const code = reason === 'DISPUTE_SETTLEMENT' ? CODES.hold : CODES[reason];
  const chargeback = books.state.entries.findLast((entry) => entry.code === CODES.chargeback && entry.reference === captureId);
  // The fee of a chargeback names that, and not the payment: https://phabricator.wikimedia.org/T418191
  const reference = (code === CODES.CHARGEBACK_FEE ? chargeback?.id : undefined) ?? captureId;
  enter(books, { id: newId(), code, reference, amount: minus(amount) });
}

/** It stands under the id of the hold, and where that began, with the time of its end beside it; so in the same report of that merchant. */
function endHold(books: Books, captureId: string): void {
  const hold = books.state.entries.findLast(({ code, reference }) => code === CODES.hold && reference === captureId);
  if (!hold) throw new Error(`nothing of ${captureId} is held`);
  const { id, at, amount } = hold;
  enter(books, { id, code: CODES.holdEnded, reference: captureId, amount: minus(amount), at, doneAt: books.now() });
}

/** The payer wins: the hold ends, and the payment is reversed, or charged back by its bank. */
export function turnHold(books: Books, { captureId, channel, amount }: PayPalDispute): void {
  endHold(books, captureId);
  const code = channel === 'EXTERNAL' ? CODES.chargeback : CODES.reversal;
  enter(books, { id: newId(), code, reference: captureId, amount: minus(amount) });
}

/** To the merchant's bank; on its way for some days. */
export function withdraw(books: Books, amount: Money): string {
  const id = newId();
  enter(books, { id, code: CODES.withdrawal, reference: undefined, amount: minus(amount), status: 'P' });
  return id;
}

/** The bank has it, or sends it back. */
export function settleWithdrawal(books: Books, id: string, isTaken: boolean): void {
  const entry = books.state.entries.find((each) => each.id === id && each.code === CODES.withdrawal);
  if (!entry) throw new Error(`no withdrawal ${id}`);
  entry.status = isTaken ? 'S' : 'V';
  if (!isTaken) enter(books, { id: newId(), code: CODES.returned, reference: id, amount: minus(entry.amount) });
  books.changed();
}

/** Whether it has moved the account: what is on its way to a bank has left it, what is on its way from one has not come. */
export const hasMoved = ({ status, code }: AccountEntry): boolean =>
  status === 'S' || status === 'V' || (status === 'P' && code === CODES.withdrawal);
