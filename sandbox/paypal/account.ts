// Entries of the merchant's own account at PayPal, each with its transaction event code:
// https://developer.paypal.com/docs/transaction-search/transaction-event-codes/, https://developer.paypal.com/docs/reports/reference/tcodes/
import { type Books, newId } from './books.ts';
import { toMoney, unitsOf } from './money.ts';
import type { AccountEntry, Capture, Money, Movement, PayPalDispute, PayPalRefund } from './state.ts';

/** "3.49% + $0.49" for a payment by PayPal Checkout, which a refund does not return: https://www.paypal.com/us/business/paypal-business-fees */
export const captureFee = (units: number): number => Math.round((units * 349) / 10_000) + 49;

const CODES = {
  checkout: 'T0006',
  /** "Pre-approved payment": a charge of a saved account. */
  approved: 'T0003',
  /** "General withdrawal from PayPal account": "settlement withdrawal or user-initiated". */
  withdrawal: 'T0400',
  /** "Reversal of ACH withdrawal transaction": the bank has returned it. */
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

/** Enters a capture. While it is pending it does not change the balance. */
export function enterCapture(books: Books, capture: Capture, isSaved: boolean): void {
  const { id, orderId, amount, status } = capture;
  const fee = toMoney(-captureFee(unitsOf(amount, '/amount')), amount.currency_code);
  const custom = books.state.orders[orderId]?.unit.custom_id;
  const code = isSaved ? CODES.approved : CODES.checkout;
  enter(books, { id, code, reference: undefined, amount, fee, custom, status: status === 'PENDING' ? 'P' : 'S' });
}

/** Settles a pending entry, which keeps the date of its beginning. */
export function settleEntry({ state }: Books, capture: Capture): void {
  const entry = state.entries.find(({ id }) => id === capture.id);
  if (entry) entry.status = capture.status === 'DECLINED' ? 'D' : 'S';
}

/** Enters a refund, or its return. */
export function enterRefund(books: Books, { id, captureId, amount }: PayPalRefund, way: 'out' | 'back'): void {
  enter(books, { id, code: CODES.refund, reference: captureId, amount: way === 'out' ? minus(amount) : amount });
}

/** A disputed amount is held, whoever disputes it; the hold is released when the payer does not win. */
export function enterDispute(books: Books, { captureId }: PayPalDispute, { type, reason, amount }: Movement): void {
  if (reason === 'DISPUTE_SETTLEMENT' && type === 'CREDIT') return endHold(books, captureId);
  const code = reason === 'DISPUTE_SETTLEMENT' ? CODES.hold : CODES[reason];
  const chargeback = books.state.entries.findLast((entry) => entry.code === CODES.chargeback && entry.reference === captureId);
  // The fee of a chargeback refers to the chargeback, not to the payment: https://phabricator.wikimedia.org/T418191
  const reference = (code === CODES.CHARGEBACK_FEE ? chargeback?.id : undefined) ?? captureId;
  enter(books, { id: newId(), code, reference, amount: minus(amount) });
}

/** The end of a hold has the hold's id and its time of beginning, with the end's own time besides; the same merchant's report shows it so. */
function endHold(books: Books, captureId: string): void {
  const hold = books.state.entries.findLast(({ code, reference }) => code === CODES.hold && reference === captureId);
  if (!hold) throw new Error(`nothing of ${captureId} is held`);
  const { id, at, amount } = hold;
  enter(books, { id, code: CODES.holdEnded, reference: captureId, amount: minus(amount), at, doneAt: books.now() });
}

/** The payer wins: the hold ends, and the payment is reversed, or charged back by the payer's bank. */
export function turnHold(books: Books, { captureId, channel, amount }: PayPalDispute): void {
  endHold(books, captureId);
  const code = channel === 'EXTERNAL' ? CODES.chargeback : CODES.reversal;
  enter(books, { id: newId(), code, reference: captureId, amount: minus(amount) });
}

/** A withdrawal to the merchant's bank; pending for some days. */
export function withdraw(books: Books, amount: Money): string {
  const id = newId();
  enter(books, { id, code: CODES.withdrawal, reference: undefined, amount: minus(amount), status: 'P' });
  return id;
}

/** The bank has credited the withdrawal, or returns it. */
export function settleWithdrawal(books: Books, id: string, isTaken: boolean): void {
  const entry = books.state.entries.find((each) => each.id === id && each.code === CODES.withdrawal);
  if (!entry) throw new Error(`no withdrawal ${id}`);
  entry.status = isTaken ? 'S' : 'V';
  if (!isTaken) enter(books, { id: newId(), code: CODES.returned, reference: id, amount: minus(entry.amount) });
  books.changed();
}

/** Whether the entry has changed the balance: a pending withdrawal has left the account, any other pending entry has not arrived yet. */
export const hasMoved = ({ status, code }: AccountEntry): boolean =>
  status === 'S' || status === 'V' || (status === 'P' && code === CODES.withdrawal);
