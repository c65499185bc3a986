import { z } from 'zod';
import { ACCESS_EVENTS } from './access.ts';
import { type EventTerms, NOTHING, instant } from './terms.ts';

/** A renewal names no seller: there is nothing to hold or to deliver. `fulfil` means something to that seller only. */
const sold = { seller: z.string().optional(), fulfil: z.record(z.string(), z.unknown()).optional() };
const order = z.object({ ...sold, expiresAt: instant.optional() });

const period = { currentPeriodStart: instant, currentPeriodEnd: instant };

const subscription = z.object({
  seller: z.string(),
  orderId: z.string(),
  /** Moves with every change: what is older than what is known says nothing. */
  version: z.number().int(),
  status: z.enum(['ACTIVE', 'PAST_DUE', 'UNPAID', 'CANCELED']),
  ...period,
  cancelAtPeriodEnd: z.boolean(),
  /** Of an end. */
  reason: z.enum(['CANCELLED', 'UNPAID', 'NOT_DELIVERED', 'REFUNDED']).optional(),
  /** Of a renewal: its seller's repricing, whose prices this period is the first to cost. */
  repricingId: z.string().optional(),
});

/** The buyer owes the tax: nothing is charged. */
const taxed = { reverseCharge: z.boolean().optional() };
const ofCredit = z.object({ amountMinor: z.number().int(), currency: z.string(), reason: z.string() });
const ofCreditRequest = ofCredit.extend({ kind: z.literal('PAY_OUT').optional() });
const ofDispute = z.object({ order: z.string(), status: z.string() });

const ofApp = z.object({ name: z.string(), host: z.string() });
const ofWebhook = z.object({ url: z.string() });
const ofPurchase = z.object({ seller: z.string(), orderId: z.string(), subscriptionId: z.string().optional() });

export const ACCOUNTS_EVENTS = {
  ...ACCESS_EVENTS,
  'billing_details.changed': {
    when: 'Invoices are written to another name or country: sellers tax by it.',
    data: z.object({ country: z.string(), ...taxed }),
  },
  'vat_id.checked': {
    when: 'The register of VAT ids says something else of an account than before: sellers tax by it.',
    data: z.object({ vatId: z.string(), valid: z.boolean(), country: z.string(), ...taxed }),
  },
  'order.placed': {
    when: 'An offer was taken. With `hold`, its seller is to hold stock for it, and to answer.',
    data: order.extend({
      expiresAt: instant,
      hold: z
        .object({
          /** The account has a paid order. */
          known: z.boolean(),
          /** Stands for the client's address; the same one gives the same text. */
          from: z.string(),
          method: z.enum(['CARD', 'CRYPTO']),
        })
        .optional(),
    }),
  },
  'order.stock_held': { when: 'The seller holds stock for the order.', data: order },
  'order.opened': { when: 'The checkout of the order is open.', data: order },
  'order.payment_seen': { when: 'Money for the order was seen: coins, not yet confirmed, or a part of what is due.', data: order },
  'order.paid': {
    when: 'The order is paid, or support has it delivered again: its seller delivers, once.',
    data: order.extend({
      title: z.string(),
      subscription: z.object({ id: z.string(), version: z.number().int(), months: z.number().int(), ...period }).optional(),
    }),
  },
  'order.held': {
    when: 'The order is paid, and a rule of the desk holds it: nothing is delivered until a person has looked.',
    /** Until then its seller keeps the stock that it holds for it. */
    data: order.extend({ holdUntil: instant.optional() }),
  },
  'order.reviewed': {
    when: 'A held order was released, so that it is delivered, or refused, and its money goes back.',
    data: z.object({ released: z.boolean() }),
  },
  'order.declined': {
    when: 'Rules of the desk have refused an order before it was placed.',
    data: z.object({ rules: z.array(z.string()) }),
  },
  'order.fulfilled': { when: 'The seller has delivered.', data: order.extend({ resourceId: z.string().nullable() }) },
  'order.cancelled': {
    when: 'The order was given up unpaid: by its owner, by support, for want of stock, with its subscription.',
    data: order,
  },
  'order.expired': { when: 'Nobody has paid the order in its time.', data: order },
  'order.refunded': {
    when: 'All of a paid order was given back before it was delivered.',
    data: order.extend({ refundId: z.string().optional() }),
  },
  'order.withdrawn': {
    when: 'Support has taken back at once what a delivered order bought; a subscription of it has ended by its own events.',
    data: order,
  },
  'order.remedied': {
    when: 'Support has helped an order that was stuck.',
    data: z.object({ remedy: z.enum(['RECHECK', 'REDELIVER', 'CANCEL']) }),
  },
  'subscription.started': { when: 'The first payment of what recurs has arrived.', data: subscription },
  'subscription.begun': {
    when: 'What was bought was delivered after a wait: its first period begins now, not with its payment.',
    data: subscription,
  },
  'subscription.renewed': { when: 'The next period is paid.', data: subscription },
  'subscription.past_due': { when: 'A renewal was not paid in time.', data: subscription },
  'subscription.suspended': { when: 'The last retry has failed.', data: subscription },
  'subscription.resumed': { when: 'A suspended subscription was paid.', data: subscription },
  'subscription.cancel_scheduled': { when: 'The subscription ends with its period.', data: subscription },
  'subscription.cancel_taken_back': { when: 'The subscription does not end with its period after all.', data: subscription },
  'subscription.changed': { when: 'What recurs is something else.', data: subscription },
  'subscription.ended': { when: 'The subscription is over, for a `reason`.', data: subscription },
  'subscription.ended_by_support': {
    when: 'Support has ended the subscription, at once or with its period; its own events say so to its seller.',
    data: z.object({ title: z.string(), reason: z.string(), atPeriodEnd: z.boolean() }),
  },
  'subscription.method_changed': {
    when: 'The subscription is paid another way from now on.',
    data: z.object({ title: z.string(), method: z.string() }),
  },
  'subscription.card_changed': {
    when: 'Another saved card pays for the subscription.',
    data: z.object({ title: z.string(), lastFour: z.string() }),
  },
  'card.made_default': { when: 'A saved card pays for what is bought next.', data: NOTHING },
  'card.removed': { when: 'A saved card was removed.', data: z.object({ lastFour: z.string() }) },
  'transfer.confirmed': {
    when: 'Support has confirmed that a bank transfer has arrived; the subject is the order.',
    data: z.object({ amount: z.string(), credited: z.string(), bankReference: z.string(), confirmation: z.string() }),
  },
  'invoice.reissued': {
    when: 'Support has cancelled an invoice and issued it anew, to the buyer of today; the subject is the new one.',
    data: z.object({ replaces: z.string(), number: z.string(), reason: z.string() }),
  },
  'refund.granted': {
    when: 'Something of an order was given back.',
    data: z.object({ order: z.string(), amount: z.string(), to: z.string(), reason: z.string() }),
  },
  'order.evidence_checked': {
    when: 'Support has looked at where the buyer is, and says why it is right.',
    data: z.object({ reason: z.string() }),
  },
  'refund.resolved': {
    when: 'Support has said what becomes of a refund that failed.',
    data: z.object({ order: z.string(), decision: z.enum(['AGAIN', 'AS_CREDIT', 'NOT_OWED']) }),
  },
  'dispute.opened': { when: 'The payer of an order wants the money back from their bank.', data: ofDispute },
  'dispute.changed': { when: 'A dispute was answered, or became more than a question.', data: ofDispute },
  'dispute.answered': { when: 'Support has sent evidence to the processor.', data: z.object({ order: z.string() }) },
  'dispute.given_in': { when: 'Support has given the money up.', data: z.object({ order: z.string() }) },
  'dispute.closed': { when: 'A dispute is over: won, lost, or come to nothing.', data: ofDispute },
  'fraud_warning.received': {
    when: "The payer's bank takes a payment for fraud; nobody has disputed it.",
    data: z.object({ order: z.string(), kind: z.string() }),
  },
  'fraud_warning.closed': { when: 'Support has done with a warning of fraud.', data: z.object({ order: z.string() }) },
  'abuse_case.use_asked': {
    when: 'A complaint names an address and a time: sellers answer with `use_found` of each plan that used it. The subject is the case.',
    data: z.object({ address: z.string(), at: z.string(), minutes: z.number().int() }),
  },
  'abuse_case.warned': {
    when: 'A customer was told of a complaint and until which day to answer. The subject is the case.',
    data: z.object({ until: z.string() }),
  },
  'purchase.frozen': {
    when: 'The payment for what was bought is disputed: its seller stops it until it is thawed. The subject is the order that bought it.',
    data: ofPurchase,
  },
  'purchase.thawed': { when: 'What was frozen goes on as it was.', data: ofPurchase },
  'purchase.records_asked': {
    when: 'What was bought is disputed: its seller answers with `fulfilment.recorded`, saying what was used of it.',
    data: ofPurchase.extend({ disputeId: z.string() }),
  },
  'top_up.declined': {
    when: 'What an automatic top-up has asked for is not bought; PASSING: it may be asked for again.',
    data: z.object({
      planId: z.string(),
      requestId: z.string(),
      why: z.enum(['DECLINED', 'CONFIRMATION_NEEDED', 'NO_MEANS', 'COUNTRY_NEEDED', 'PASSING']),
      /** The bank's own. */
      words: z.string().optional(),
    }),
  },
  'credit.granted': {
    when: 'An account has more credit: by support, or for downtime.',
    data: ofCredit,
  },
  'credit.requested': {
    when: 'A member of support has asked for credit that one may not give, or with a kind, pay out alone.',
    data: ofCreditRequest,
  },
  'credit.declined': {
    when: 'A second member of support does not give, or with a kind, pay out credit that was asked for.',
    data: ofCreditRequest,
  },
  'credit.reversed': {
    when: 'Support has taken back credit that was given by mistake; the subject is the journal that is reversed.',
    data: ofCredit,
  },
  'credit.paid_out': { when: 'Credit goes back to what it came from: by support, or with its account.', data: ofCredit },
  'credit.pay_out_resolved': {
    when: 'Support has sent a pay-out, or has said what becomes of one that failed.',
    data: z.object({ decision: z.enum(['AGAIN', 'AS_CREDIT', 'NOT_OWED', 'SENT']) }),
  },
  'credit.pay_out_returned': {
    when: 'What was to be paid out did not arrive, and is credit again; the subject is that part.',
    data: ofCredit,
  },
  'sales_request.sent': { when: 'An account has asked something of sales.', data: z.object({ product: z.string(), volume: z.string() }) },
  'sales_request.closed': { when: 'Sales has answered a request.', data: z.object({ product: z.string() }) },
  'arrangement.recorded': { when: 'Sales has agreed something with an account.', data: z.object({ kind: z.string() }) },
  'arrangement.ended': { when: 'What sales had agreed with an account holds no longer.', data: z.object({ kind: z.string() }) },
  'app.connected': {
    when: 'The owner has let a program in to the MCP endpoint.',
    data: ofApp.extend({ scopes: z.array(z.string()) }),
  },
  'app.disconnected': { when: 'The owner has removed a program.', data: ofApp },
  'webhook_endpoint.added': { when: 'The owner wants to be told of events at an address.', data: ofWebhook },
  'webhook_endpoint.changed': { when: 'Address, description or types of a webhook end point are others.', data: ofWebhook },
  'webhook_endpoint.secret_renewed': { when: 'A webhook end point has another secret; the old one signs for a day.', data: ofWebhook },
  'webhook_endpoint.disabled': {
    when: 'A webhook end point gets nothing more: by its owner, after three days of failures, or since it wants nothing.',
    data: ofWebhook.extend({ because: z.enum(['OWNER', 'FAILING', 'GONE']) }),
  },
  'webhook_endpoint.enabled': { when: 'A disabled webhook end point is sent what it has missed.', data: ofWebhook },
  'webhook_endpoint.removed': { when: 'The owner has removed a webhook end point.', data: ofWebhook },
  'mail.sent_again': { when: 'Support has sent a refused mail once more.', data: z.object({ recipient: z.string() }) },
  'event.redriven': { when: 'Support has had events tried again that were set aside.', data: z.object({ count: z.number().int() }) },
} as const satisfies Record<string, EventTerms>;
