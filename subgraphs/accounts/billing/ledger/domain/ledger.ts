// The chart of accounts and every posting there is. Amounts are integer minor units, debit above zero and credit below; each posting sums to zero.

export const LEDGERS = {
  PROCESSOR: 'with the card processor, on its way to our bank',
  BANK: 'transferred to our bank',
  CRYPTO: 'with the crypto processor',
  CUSTOMER_CREDIT: 'owed to a customer, who may spend it',
  CREDIT_HELD: "a customer's credit, set aside for an order that is not paid yet",
  REFUND_OWED: 'promised to a card, not yet given back',
  REVENUE: 'what was sold, before tax',
  TAX: 'owed to the tax office',
  GOODWILL: 'given to customers by support',
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
  order_paid: ({ accountId, subtotalMinor, taxMinor, creditMinor, into }: Sale) => [
    debit(into, subtotalMinor + taxMinor - creditMinor),
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
  /** Out of the ledger that the money came into. */
  refund_sent: ({ amountMinor, from }: Amount & { from: Ledger }) => [debit('REFUND_OWED', amountMinor), credit(from, amountMinor)],
  /** The processor would not take it back: the customer has it as credit instead. */
  refund_credited: ({ accountId, amountMinor }: Amount) => [
    debit('REFUND_OWED', amountMinor),
    credit('CUSTOMER_CREDIT', amountMinor, accountId),
  ],
} satisfies Record<string, (data: never) => Entry[]>;

export type PostingKind = keyof typeof POSTINGS;
export type PostingData<Kind extends PostingKind> = Parameters<(typeof POSTINGS)[Kind]>[0];

/** What a line of a customer's statement is called. */
export const STATEMENT_WORDS: Record<PostingKind, string> = {
  credit_held: 'Used for an order',
  credit_released: 'Given back: the order was not paid',
  credit_granted: 'From support',
  order_paid: 'Order paid',
  transfer_credited: 'Bank transfer',
  crypto_credited: 'Cryptocurrency that an order did not need',
  payment_credited: 'Paid too late for a subscription',
  change_credited: 'Given back for a change',
  refund_granted: 'Refund',
  refund_sent: 'Refund to the card',
  refund_credited: 'Refund that the card did not take',
};
