// The evidence that answers a dispute: who bought, from where, what was used and when. Sellers are asked for their records when it opens.
import { toDay } from '#platform/clock.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { formatMoney } from '#commerce/money.ts';
import { activityOfAccount } from '../../../identity/entities/activity.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { REASON_WORDS } from '../domain/dispute.ts';
import { type Dispute, disputeWithId } from '../entities/dispute.ts';
import { type RecordLine, recordsOfDispute, storeRecord } from '../entities/dispute-record.ts';
import { existingOrder, type Order } from '../../orders/entities/order.ts';
import { paymentsOfOrder } from '../../payments/entities/payment.ts';
import { invoiceOfOrder } from '../../invoices/entities/invoice.ts';
import { formatNumber } from '../../invoices/domain/invoice.ts';
import type { Evidence } from '../../payments/providers/payer-disputes.ts';
import { type EvidenceToDraw, drawEvidence } from '../providers/evidence-pdf.ts';
import type { DisputesContext } from '../context.ts';

/** The most lines of the account's activity: enough for a year of log-ins. */
const MAX_ACTIVITY = 500;

/** Asks the seller for its records of use; it answers with `fulfilment.recorded`. */
export async function askForRecords(
  ctx: DisputesContext,
  { seller, accountId, subscriptionId }: Order,
  { id, purchaseId }: Dispute,
): Promise<void> {
  await appendEvents(ctx.em, {
    type: 'purchase.records_asked',
    at: ctx.clock.now(),
    accountId,
    subject: purchaseId,
    data: { seller, orderId: purchaseId, disputeId: id, ...(subscriptionId && { subscriptionId }) },
  });
}

/** Reaction to a seller's answer: stores its records. */
export async function storeRecords(ctx: DisputesContext, { subject, data, at }: EventOf<'fulfilment.recorded'>): Promise<void> {
  const { disputeId, title, lines } = data;
  if (await disputeWithId(ctx.em, disputeId)) await storeRecord(ctx.em, { disputeId, subject, title, lines, givenAt: at });
}

/** The pack of evidence for a dispute, from what is known now. */
export async function evidenceOf(ctx: DisputesContext, dispute: Dispute, statement = ''): Promise<Evidence> {
  const order = await existingOrder(ctx.em, dispute.orderId);
  const account = await existingAccount(ctx.em, dispute.accountId);
  const activity = (await activityOfAccount(ctx.em, dispute.accountId, MAX_ACTIVITY, undefined)).toReversed();
  const access: RecordLine[] = activity
    .filter(({ address }) => address !== null)
    .map(({ at, type, address, userAgent }) => ({
      at: at.toISOString(),
      text: `${type} from ${address ?? 'an unknown address'}${userAgent ? `, ${userAgent}` : ''}`,
    }));
  const records = await recordsOfDispute(ctx.em, dispute.id);
  const placed = activity.find(({ type, subject }) => type === 'order.placed' && subject === order.id);
  const toDraw: EvidenceToDraw = {
    seller: ctx.providers.seller.name,
    made: ctx.clock.now(),
    facts: await factsOf(ctx, { dispute, order, email: account.email ?? null, address: placed?.address ?? null }),
    statement,
    sections: [{ title: 'Access to the account: when, what, from where', lines: access }, ...records],
  };
  return {
    pdf: await drawEvidence(toDraw),
    fileName: `${dispute.id}.pdf`,
    email: account.email ?? undefined,
    purchaseAddress: placed?.address ?? undefined,
    product: order.title,
    servedOn: order.fulfilledAt ? toDay(order.fulfilledAt) : undefined,
    accessLog: toDraw.sections.flatMap(({ lines }) => lines.map(({ at, text }) => `${at} ${text}`)).join('\n'),
    statement,
  };
}

async function factsOf(
  ctx: DisputesContext,
  { dispute, order, email, address }: { dispute: Dispute; order: Order; email: string | null; address: string | null },
): Promise<[string, string][]> {
  const invoice = await invoiceOfOrder(ctx.em, order.id);
  const payments = await paymentsOfOrder(ctx.em, order.id);
  const facts: [string, string | null | undefined][] = [
    ['Dispute', dispute.processorId],
    ['Reason', REASON_WORDS[dispute.reason]],
    ['Amount', formatMoney({ amountMinor: dispute.amountMinor, currency: dispute.currency })],
    ['Payment', payments.map(({ processorId }) => processorId).join(', ')],
    ['Invoice', invoice && formatNumber(invoice)],
    ['Bought', order.title],
    ['Ordered at', order.placedAt.toISOString()],
    ['Ordered from', address],
    ['Paid at', order.paidAt?.toISOString()],
    ['Delivered at', order.fulfilledAt?.toISOString()],
    ['Account', order.accountId],
    ['E-mail', email],
    ['Invoiced to', invoice && [invoice.buyer.name, ...invoice.buyer.address, invoice.buyer.country].filter(Boolean).join(', ')],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}
