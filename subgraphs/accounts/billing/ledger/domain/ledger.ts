// The chart of accounts and every posting there is. Amounts are integer minor units, debit above zero and credit below; each posting sums to zero.

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
  /** Of the two ledgers that are kept per customer. */
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
  /** Of it, from the account's credit; the rest came through `into`. */
  creditMinor: number;
  /** What of the rest did not arrive, and is let go. */
  shortMinor?: number;
  into: Ledger;
}
interface Amount {
  accountId: string;
  amountMinor: number;
}
interface Refund extends Amount {
  /** Of the amount, tax. */
  taxMinor: number;
  /** Its processor is asked after the commit; otherwise it is account credit at once. */
  sentLater: boolean;
}

/** Between a processor and us. */
interface Settled {
  /** Null: no customer's. */
  accountId: string | null;
  amountMinor: number;
  from: Ledger;
}

interface Loss extends Amount {
  taxMinor: number;
  /** Beside the amount: it had become account credit, and that is taken back. */
  creditMinor: number;
  /** Beside both: nothing is left for it. */
  lostMinor: number;
}

/** kind of journal -> its entries. Entries of nothing are left out when it is posted. */
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
  /** A wrong grant, or a transfer that was mistyped: back where it came from. */
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
  /** Money that an order did not need: too much, too little for it, or too late. */
  transfer_credited: ({ accountId, amountMinor }: Amount) => [
    debit('BANK', amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** The same of coins. */
  crypto_credited: ({ accountId, amountMinor }: Amount) => [
    debit('CRYPTO', amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** Money for a change or a renewal of a subscription that could not be made any more. */
  payment_credited: ({ accountId, amountMinor, into }: Amount & Pick<Sale, 'into'>) => [
    debit(into, amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** For what is removed from a subscription in the middle of a period that was paid. */
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
  /** Decided: it goes back to what it came from after the commit, as a refund does. */
  credit_paid_out: ({ accountId, amountMinor }: Amount) => [
    debit('CUSTOMER_CREDIT', amountMinor, accountId),
    credit('REFUND_OWED', amountMinor),
  ],
  /** Out of the ledger that the money came into. */
  refund_sent: ({ amountMinor, from }: Amount & { from: Ledger }) => [debit('REFUND_OWED', amountMinor), credit(from, amountMinor)],
  /** The processor would not take it back: the customer has it as credit instead. */
  refund_credited: ({ accountId, amountMinor }: Amount) => [
    debit('REFUND_OWED', amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
  /** What a bank has sent back after it was given back: owed once more. Into the ledger that it came from. */
  refund_returned: ({ amountMinor, from }: Amount & { from: Ledger }) => [debit(from, amountMinor), credit('REFUND_OWED', amountMinor)],
  /** Given back at the processor, by hand; what no invoice covers is lost. */
  refund_elsewhere: ({ accountId, amountMinor, taxMinor, creditMinor, lostMinor, from }: Loss & { from: Ledger }) => [
    debit('REVENUE', amountMinor - taxMinor),
    debit('TAX', taxMinor),
    debit('CUSTOMER_CREDIT', creditMinor, accountId),
    debit('LOSSES', lostMinor),
    credit(from, amountMinor + creditMinor + lostMinor),
  ],
  /** Of what was given back by hand and lost, the payer's bank has sent it back: nothing is lost. */
  refund_elsewhere_returned: ({ amountMinor, from }: Amount & { from: Ledger }) => [
    debit(from, amountMinor),
    credit('LOSSES', amountMinor),
  ],
  /** The customer has it another way than the one that failed. */
  refund_not_owed: ({ amountMinor }: Amount) => [debit('REFUND_OWED', amountMinor), credit('LOSSES', amountMinor)],
  /** The bank keeps it no more. */
  refund_owed_again: ({ amountMinor }: Amount) => [debit('LOSSES', amountMinor), credit('REFUND_OWED', amountMinor)],
  dispute_withdrawn: ({ amountMinor, from }: Amount & { from: Ledger }) => [debit('DISPUTED', amountMinor), credit(from, amountMinor)],
  dispute_reinstated: ({ amountMinor, from }: Amount & { from: Ledger }) => [debit(from, amountMinor), credit('DISPUTED', amountMinor)],
  /** The bank keeps it: the sale is undone as far as its invoice goes. */
  dispute_lost: ({ accountId, amountMinor, taxMinor, creditMinor, lostMinor }: Loss) => [
    debit('REVENUE', amountMinor - taxMinor),
    debit('TAX', taxMinor),
    debit('CUSTOMER_CREDIT', creditMinor, accountId),
    debit('LOSSES', lostMinor),
    credit('DISPUTED', amountMinor + creditMinor + lostMinor),
  ],
  /** What was lost comes back all the same: the loss is undone. */
  dispute_recovered: ({ accountId, amountMinor, taxMinor, creditMinor, lostMinor }: Loss) => [
    debit('DISPUTED', amountMinor + creditMinor + lostMinor),
    credit('REVENUE', amountMinor - taxMinor),
    credit('TAX', taxMinor),
    credit('CUSTOMER_CREDIT', creditMinor, accountId),
    credit('LOSSES', lostMinor),
  ],
  /** Below zero: given back. Of one movement at a processor, by its id there: a dispute names its own too. */
  processor_fee: ({ amountMinor, from }: Settled) => [debit('FEES', amountMinor), credit(from, amountMinor)],
  /** What a processor has paid out to our bank; below zero: our bank has made up for a balance below zero. */
  payout_received: ({ amountMinor, from }: Settled) => [debit('BANK', amountMinor), credit(from, amountMinor)],
  /** A payout that our bank has sent back. */
  payout_returned: ({ amountMinor, from }: Settled) => [debit(from, amountMinor), credit('BANK', amountMinor)],
} satisfies Record<string, (data: never) => Entry[]>;

export type PostingKind = keyof typeof POSTINGS;
export type PostingData<Kind extends PostingKind> = Parameters<(typeof POSTINGS)[Kind]>[0];

/** What a line of a customer's statement is called. */
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

/** Movements that support may reverse, and where what they gave came from. */
export const REVERSIBLE: Partial<Record<PostingKind, Ledger>> = { credit_granted: 'GOODWILL', transfer_credited: 'BANK' };
