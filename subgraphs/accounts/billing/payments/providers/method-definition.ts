// The type of a row in the table of payment methods.
import type { Language } from '#platform/language.ts';
import type { HoldWish } from '#platform/holds.ts';
import type { ConfigPart } from '#platform/config.ts';
import type { Failure } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Ledger } from '../../ledger/domain/ledger.ts';
import type { MethodName, Processor } from '../domain/payment-method.ts';
import type { PaymentProcessor } from './payment-processor.ts';

/** Spec is silent: the most unpaid orders of an account that may hold stock at once, over all payment methods. */
export const HOLDING_ORDERS_MAX = 3;

/** A price with tax, before account credit is taken off. */
export interface AskedPrice {
  totalMinor: number;
  /** Whether the order buys or changes a subscription. */
  recurs: boolean;
}

export interface MethodDefinition {
  /** Its name in orders, invoices, the API and the database. */
  name: MethodName;
  /** The processor's name in payments, in the inbox and in the path of its notices, `/webhooks/<processor>`. */
  processor: Processor;
  /** How it reads in "Paid by ...". A single text is a name that is the same in every language. */
  label: string | Readonly<Record<Language, string>>;
  /** How it reads in "12.00 USD to ...", when credit that was paid by it is paid out. */
  paidOutTo: Readonly<Record<Language, string>>;
  /** The ledger that the money of a sale stands in until it reaches our bank. */
  ledger: Ledger;
  /**
   * PAGE: a page of the processor opens after the commit. INSTRUCTIONS: the buyer is told where to send the money, and support confirms its arrival.
   * NOTHING: no order can be placed by it.
   */
  opens: 'PAGE' | 'INSTRUCTIONS' | 'NOTHING';
  /** Milliseconds until an unpaid order expires. */
  validMs: number;
  /** Milliseconds that a page stays open at least, even when it could be opened only later: the order then expires later too. */
  opensForMs?: number;
  /** For methods whose money is promised and arrives days later: the most milliseconds that an order, its stock and its credit wait for it. */
  promisedMs?: number;
  /** CHARGED: saved means are charged when a period ends. ASKED: the owner is asked to pay before it ends. */
  renewal: 'CHARGED' | 'ASKED';
  /**
   * SENT: the processor is asked after the commit, and what it refuses becomes account credit. BOOKED: the journal alone makes the refund. NEVER: refunds
   * become account credit.
   */
  refunds: 'SENT' | 'BOOKED' | 'NEVER';
  /** The kind of hold that sellers put on stock for an unpaid order. Absent: no stock is held before the money has arrived. */
  holdsAs?: HoldWish['method'];
  /**
   * The most unpaid orders at once by this method and those with the same `holdsAs`: per account, and per client address (IPv6: per /64) over accounts that
   * have never paid. An office may share an address.
   */
  unpaidMax: { account: number; address: number };
  /**
   * For money that arrives in parts: how long it is looked for after the order has expired, and how much longer while some of it is seen and not confirmed;
   * the journal and mail of what becomes credit.
   */
  parts?: {
    watchedMs: number;
    unconfirmedMs: number;
    journal: 'crypto_credited' | 'transfer_credited';
    mail: 'crypto_credited' | 'transfer_credited';
  };
  /** All headers that carry the signature of its notices. Absent: its notices have none. */
  signatureHeaders?: readonly string[];
  /** Why this price cannot be paid by it; undefined when it can. */
  whyNot(price: AskedPrice): Failure | undefined;
  /** Why the rest that account credit leaves to pay cannot be paid by it; undefined when it can. */
  whyNotRest(leftMinor: number): Failure | undefined;
  /** The environment variables that configure it. */
  configuration?: ConfigPart;
  /** The failure to throw where it is not configured. */
  unavailable(): Failure;
  /** Its processor; undefined where it is not configured. */
  create(platform: Platform): PaymentProcessor | undefined;
}
