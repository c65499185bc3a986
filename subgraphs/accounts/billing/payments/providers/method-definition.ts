// What a row of the table of payment methods says.
import type { Language } from '#platform/language.ts';
import type { HoldWish } from '#platform/holds.ts';
import type { ConfigPart } from '#platform/config.ts';
import type { Failure } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Ledger } from '../../ledger/domain/ledger.ts';
import type { MethodName, Processor } from '../domain/payment-method.ts';
import type { PaymentProcessor } from './payment-processor.ts';

/** Spec is silent: how many orders of an account that hold stock may wait for their payment at once, whatever they are paid by. */
export const HOLDING_ORDERS_MAX = 3;

/** A price that is to be paid, with tax, before account credit. */
export interface AskedPrice {
  totalMinor: number;
  /** Whether a subscription is bought or changed. */
  recurs: boolean;
}

export interface MethodDefinition {
  /** What orders, invoices, the API and the database call it. */
  name: MethodName;
  /** What payments and the inbox call who takes the money: `/webhooks/<processor>`. */
  processor: Processor;
  /** In a sentence: "Paid by ...". One text is a name, which is the same in every language. */
  label: string | Readonly<Record<Language, string>>;
  /** In a sentence, where credit that it paid goes when it is paid out: "12.00 USD to ...". */
  paidOutTo: Readonly<Record<Language, string>>;
  /** Where the money of a sale is until it is at our bank. */
  ledger: Ledger;
  /**
   * PAGE: a page of the processor, opened after the commit. INSTRUCTIONS: the buyer is shown where to send it, support says that it has come.
   * NOTHING: no order is placed by it.
   */
  opens: 'PAGE' | 'INSTRUCTIONS' | 'NOTHING';
  /** How long an order waits for its payment, in milliseconds. */
  validMs: number;
  /** A page stays open for at least so long, whenever it could be opened: the order waits for it, in milliseconds. */
  opensForMs?: number;
  /** Money that is promised and comes days later: so long the order waits for it at most, and its stock and credit with it, in milliseconds. */
  promisedMs?: number;
  /** CHARGED: what was saved is charged when a period ends. ASKED: its owner is asked before, and pays. */
  renewal: 'CHARGED' | 'ASKED';
  /**
   * SENT: the processor is asked after the commit, and what it will not take back becomes account credit. BOOKED: done with its journal. NEVER: given
   * back as credit.
   */
  refunds: 'SENT' | 'BOOKED' | 'NEVER';
  /** As whom sellers hold stock for an unpaid order; absent: they hold none before the money has come. */
  holdsAs?: HoldWish['method'];
  /**
   * How many orders by it, and by those that hold as it does, may wait at once: of an account, and, of accounts
   * without a paid order, behind one client address (IPv6: one /64), which an office may share.
   */
  unpaidMax: { account: number; address: number };
  /** Money that arrives by itself, in parts: how long after an order's time it is looked for, and what becomes credit is posted and mailed as. */
  parts?: { watchedMs: number; journal: 'crypto_credited' | 'transfer_credited'; mail: 'crypto_credited' | 'transfer_credited' };
  /** The headers that the signature of its notices comes in, all of them; absent: it has none. */
  signatureHeaders?: readonly string[];
  /** Why a price cannot be paid so; undefined when it can. */
  whyNot(price: AskedPrice): Failure | undefined;
  /** Why what account credit leaves of it cannot; undefined when it can. */
  whyNotRest(leftMinor: number): Failure | undefined;
  /** The variables that it is configured by. */
  configuration?: ConfigPart;
  /** What is thrown where it is not configured. */
  unavailable(): Failure;
  /** Undefined: it is not configured. */
  create(platform: Platform): PaymentProcessor | undefined;
}
