// The chart of accounts, and every kind of posting. Amounts are integer minor units: debits are positive, credits negative, and each posting sums to zero.

export const LEDGERS = {
  PROCESSOR: 'with the card processor, on its way to our bank',
  PAYPAL: 'with PayPal, on its way to our bank',
  BANK: 'transferred to our bank',
  CRYPTO: 'with the crypto processor',
  CUSTOMER_CREDIT: 'owed to a customer, who may spend it',
  CREDIT_HELD: "a customer's credit, set aside for an order that is not paid yet",
  REFUND_OWED: 'promised to whence it came, not yet given back',
  REVENUE: 'what was sold, before tax',
  TAX: 'owed to the tax office',
  GOODWILL: 'given to customers by support',
  SHORTFALL: 'kept by banks on the way to us, and let go',
  DISPUTED: "with payers' banks, which have not decided",
  FEES: 'kept by processors',
  LOSSES: 'taken back by payers beyond what their invoices say',
} as const;
export type Ledger = keyof typeof LEDGERS;

export interface Entry {
  ledger: Ledger;
  /** The customer, in CUSTOMER_CREDIT and CREDIT_HELD; null in all other ledgers. */
  accountId: string | null;
  amountMinor: number;
}

const debit = (ledger: Ledger, amountMinor: number, accountId: string | null = null): Entry => ({ ledger, accountId, amountMinor });
const credit = (ledger: Ledger, amountMinor: number, accountId: string | null = null): Entry => ({
  ledger,
  accountId,
  amountMinor: -amountMinor,
});

interface Sale {
  accountId: string;
  subtotalMinor: number;
  taxMinor: number;
  /** The part paid by account credit. The rest was paid into `into`. */
  creditMinor: number;
  /** The part of the rest that did not arrive and that is not asked for. */
  shortMinor?: number;
  into: Ledger;
}
interface Amount {
  accountId: string;
  amountMinor: number;
}
interface Refund extends Amount {
  /** The tax within the amount. */
  taxMinor: number;
  /** True: the processor is asked for it after the commit. False: it becomes account credit at once. */
  sentLater: boolean;
}

/** A movement between a processor and us. */
interface Settled {
  /** Null where no customer is concerned. */
  accountId: string | null;
  amountMinor: number;
  from: Ledger;
}

interface Loss extends Amount {
  taxMinor: number;
  /** In addition to the amount: the part that had become account credit, which is taken back. */
  creditMinor: number;
  /** In addition to both: the part that no invoice and no credit covers. */
  lostMinor: number;
}

/** Kind of journal -> its entries. Entries of zero are left out when a journal is posted. */
export const POSTINGS = {
  credit_held: ({ accountId, amountMinor }: Amount) => [
    debit('CUSTOMER_CREDIT', amountMinor, accountId),
    credit('CREDIT_HELD', amountMinor, accountId),
  ],
  credit_released: ({ accountId, amountMinor }: Amount) => [
    debit('CREDIT_HELD', amountMinor, accountId),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  credit_granted: ({ accountId, amountMinor }: Amount) => [
    debit('GOODWILL', amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** Takes back a grant made by mistake, or a transfer that was typed in wrongly. */
  credit_reversed: ({ accountId, amountMinor, into }: Amount & { into: Ledger }) => [
    debit('CUSTOMER_CREDIT', amountMinor, accountId),
    credit(into, amountMinor),
  ],
  order_paid: ({ accountId, subtotalMinor, taxMinor, creditMinor, shortMinor = 0, into }: Sale) => [
    debit(into, subtotalMinor + taxMinor - creditMinor - shortMinor),
    debit('SHORTFALL', shortMinor),
    debit('CREDIT_HELD', creditMinor, accountId),
    credit('REVENUE', subtotalMinor),
    credit('TAX', taxMinor),
  ],
  /** A transfer that paid no order, because it was too much, too little or too late, becomes account credit. */
  transfer_credited: ({ accountId, amountMinor }: Amount) => [
    debit('BANK', amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** The same for coins. */
  crypto_credited: ({ accountId, amountMinor }: Amount) => [
    debit('CRYPTO', amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** A payment for a change or renewal that is no longer possible becomes account credit. */
  payment_credited: ({ accountId, amountMinor, into }: Amount & Pick<Sale, 'into'>) => [
    debit(into, amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** The unused part of what was removed from a subscription in the middle of a paid period. */
  change_credited: ({ accountId, amountMinor, taxMinor }: Omit<Refund, 'sentLater'>) => [
    debit('REVENUE', amountMinor - taxMinor),
    debit('TAX', taxMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  refund_granted: ({ accountId, amountMinor, taxMinor, sentLater }: Refund) => [
    debit('REVENUE', amountMinor - taxMinor),
    debit('TAX', taxMinor),
    sentLater ? credit('REFUND_OWED', amountMinor) : credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** Account credit that is to be paid out: after the commit it is sent to the means that it was paid by, as a refund is. */
  credit_paid_out: ({ accountId, amountMinor }: Amount) => [
    debit('CUSTOMER_CREDIT', amountMinor, accountId),
    credit('REFUND_OWED', amountMinor),
  ],
  /** The processor has sent it. `from`: the ledger that the payment was booked into. */
  refund_sent: ({ amountMinor, from }: Amount & { from: Ledger }) => [debit('REFUND_OWED', amountMinor), credit(from, amountMinor)],
  /** The processor refused the refund: it becomes account credit instead. */
  refund_credited: ({ accountId, amountMinor }: Amount) => [
    debit('REFUND_OWED', amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** The payer's bank has sent a refund back: it is owed again. `from`: the ledger that it was sent from. */
  refund_returned: ({ amountMinor, from }: Amount & { from: Ledger }) => [debit(from, amountMinor), credit('REFUND_OWED', amountMinor)],
  /** A refund made at the processor, by hand. What no invoice covers is a loss. */
  refund_elsewhere: ({ accountId, amountMinor, taxMinor, creditMinor, lostMinor, from }: Loss & { from: Ledger }) => [
    debit('REVENUE', amountMinor - taxMinor),
    debit('TAX', taxMinor),
    debit('CUSTOMER_CREDIT', creditMinor, accountId),
    debit('LOSSES', lostMinor),
    credit(from, amountMinor + creditMinor + lostMinor),
  ],
  /** The payer's bank has sent back a refund that was made by hand and booked as a loss: the loss is undone. */
  refund_elsewhere_returned: ({ amountMinor, from }: Amount & { from: Ledger }) => [
    debit(from, amountMinor),
    credit('LOSSES', amountMinor),
  ],
  /** A failed refund is not owed any more: its payer has the money another way, for example by a dispute. */
  refund_not_owed: ({ amountMinor }: Amount) => [debit('REFUND_OWED', amountMinor), credit('LOSSES', amountMinor)],
  /** The payer's bank has given back what it had kept: the refund is owed again. */
  refund_owed_again: ({ amountMinor }: Amount) => [debit('LOSSES', amountMinor), credit('REFUND_OWED', amountMinor)],
  dispute_withdrawn: ({ amountMinor, from }: Amount & { from: Ledger }) => [debit('DISPUTED', amountMinor), credit(from, amountMinor)],
  dispute_reinstated: ({ amountMinor, from }: Amount & { from: Ledger }) => [debit(from, amountMinor), credit('DISPUTED', amountMinor)],
  /** The payer's bank keeps the money: the sale is undone as far as its invoice covers it. */
  dispute_lost: ({ accountId, amountMinor, taxMinor, creditMinor, lostMinor }: Loss) => [
    debit('REVENUE', amountMinor - taxMinor),
    debit('TAX', taxMinor),
    debit('CUSTOMER_CREDIT', creditMinor, accountId),
    debit('LOSSES', lostMinor),
    credit('DISPUTED', amountMinor + creditMinor + lostMinor),
  ],
  /** The money of a lost dispute comes back after all: the loss is undone. */
  dispute_recovered: ({ accountId, amountMinor, taxMinor, creditMinor, lostMinor }: Loss) => [
    debit('DISPUTED', amountMinor + creditMinor + lostMinor),
    credit('REVENUE', amountMinor - taxMinor),
    credit('TAX', taxMinor),
    credit('CUSTOMER_CREDIT', creditMinor, accountId),
    credit('LOSSES', lostMinor),
  ],
  /** A fee for one movement at a processor, booked once by the movement's id. Negative: the fee was given back. */
  processor_fee: ({ amountMinor, from }: Settled) => [debit('FEES', amountMinor), credit(from, amountMinor)],
  /** A payout of the processor to our bank. Negative: our bank has paid in to cover a negative balance. */
  payout_received: ({ amountMinor, from }: Settled) => [debit('BANK', amountMinor), credit(from, amountMinor)],
  /** Our bank has sent a payout back. */
  payout_returned: ({ amountMinor, from }: Settled) => [debit(from, amountMinor), credit('BANK', amountMinor)],
} satisfies Record<string, (data: never) => Entry[]>;

export type PostingKind = keyof typeof POSTINGS;
export type PostingData<Kind extends PostingKind> = Parameters<(typeof POSTINGS)[Kind]>[0];

/** What each kind is called in a customer's statement. */
export const STATEMENT_WORDS: Record<PostingKind, string> = {
  credit_held: 'Used for an order',
  credit_released: 'Given back: the order was not paid',
  credit_granted: 'From support',
  credit_reversed: 'Taken back: it was given by mistake',
  order_paid: 'Order paid',
  transfer_credited: 'Bank transfer',
  crypto_credited: 'Cryptocurrency that an order did not need',
  payment_credited: 'Paid too late for a subscription',
  change_credited: 'Given back for a change',
  refund_granted: 'Refund',
  credit_paid_out: 'Paid out',
  refund_sent: 'Refund to the card',
  refund_credited: 'Refund that the card did not take',
  refund_returned: 'Refund that the bank has sent back',
  refund_elsewhere: 'Refund by hand',
  refund_elsewhere_returned: 'Refund by hand that the bank has sent back',
  refund_not_owed: 'Refund that was not needed',
  refund_owed_again: 'Refund that is owed again',
  dispute_withdrawn: 'Taken back by your bank',
  dispute_reinstated: 'Given back by your bank',
  dispute_lost: 'Kept by your bank',
  dispute_recovered: 'Given back by your bank after all',
  processor_fee: 'Fee of the processor',
  payout_received: 'Paid out to our bank',
  payout_returned: 'Payout that our bank has sent back',
};

/** Kinds of credit that support may reverse, and the ledger that each came from. */
export const REVERSIBLE: Partial<Record<PostingKind, Ledger>> = { credit_granted: 'GOODWILL', transfer_credited: 'BANK' };
