// Checkouts, refunds and notices of the card processor: the `stripe` SDK against the real service, or against whatever speaks its HTTP at `apiUrl`.
import Stripe from 'stripe';
import type { Clock } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Notice, PaymentProcessor, PaymentRequest, PaymentState, RefundState } from '../payment-processor.ts';
import { idOf } from './card-client.ts';

/** What the processor says of a checkout page now: where an order is paid, or where a card is saved for an account. */
export interface CheckoutState extends Omit<PaymentState, 'arrived'> {
  accountId: string | undefined;
}

export interface CardProcessor {
  /** The same order gives the same checkout, however often it is asked for. */
  openCheckout(request: PaymentRequest): Promise<{ id: string; url: string }>;
  checkout(id: string): Promise<CheckoutState>;
  /** Nothing when it is paid or closed already. */
  closeCheckout(id: string): Promise<void>;
  refund: PaymentProcessor['refund'];
  /** Throws `signature_invalid`. Undefined: a notice that concerns no checkout and no invoice. */
  readNotice(body: string, signature: string): Notice | undefined;
}

export interface CardProcessorOptions {
  stripe: Stripe;
  /** Current and, while rotating, previous. */
  webhookSecrets: readonly string[];
  clock: Clock;
}

export function createCardProcessor(options: CardProcessorOptions): CardProcessor {
  const { stripe } = options;
  return {
    async openCheckout(request) {
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: request.orderId,
          ...(request.customerId ? { customer: request.customerId } : request.email !== undefined && { customer_email: request.email }),
          line_items: request.lines.map(({ label, amountMinor }) => ({
            quantity: 1,
            price_data: { currency: request.currency.toLowerCase(), unit_amount: amountMinor, product_data: { name: label } },
          })),
          metadata: { order_id: request.orderId },
          payment_intent_data: {
            description: request.title,
            metadata: { order_id: request.orderId },
            ...(request.customerId && { setup_future_usage: 'off_session' as const }),
          },
          expires_at: Math.floor(request.expiresAt.getTime() / 1_000),
          success_url: request.successUrl,
          cancel_url: request.cancelUrl,
        },
        { idempotencyKey: `${request.orderId}:checkout` },
      );
      if (!session.url) throw new Error(`checkout ${session.id} has no address`);
      return { id: session.id, url: session.url };
    },

    checkout: async (id) => toState(await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent', 'setup_intent'] })),

    async closeCheckout(id) {
      const { status } = await stripe.checkout.sessions.retrieve(id);
      if (status === 'open') await stripe.checkout.sessions.expire(id);
    },

    refund: (request) => refund(stripe, request),
    readNotice: (body, signature) => readNotice(options, body, signature),
  };
}

const toState = (session: Stripe.Checkout.Session): CheckoutState => ({
  id: session.id,
  orderId: session.client_reference_id ?? '',
  status: session.payment_status === 'paid' ? 'paid' : session.status === 'expired' ? 'failed' : 'pending',
  paymentId: idOf(session.payment_intent),
  amountMinor: session.amount_total ?? 0,
  currency: (session.currency ?? '').toUpperCase(),
  meansId: cardOf(session),
  accountId: session.metadata?.['account_id'],
});

/** Notices older, or further in the future, than this are refused; the SDK itself accepts any future. */
const TOLERANCE_SECONDS = 300;
const LOOKED_AT: ReadonlySet<string> = new Set(['checkout.session', 'invoice']);

function readNotice({ stripe, webhookSecrets, clock }: CardProcessorOptions, body: string, signature: string): Notice | undefined {
  const now = clock.now().getTime();
  // Of several times the SDK takes the last: the one that is judged here must be the one that is signed.
  const [sent, ...others] = signature.matchAll(/(?:^|,)t=(\d+)/g);
  const sentAt = others.length === 0 ? Number(sent?.[1]) * 1_000 : Number.NaN;
  if (!(Math.abs(now - sentAt) <= TOLERANCE_SECONDS * 1_000)) throw fail('signature_invalid');
  for (const secret of webhookSecrets) {
    try {
      const event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now);
      const object = event.data.object as { id?: string; object?: string };
      return LOOKED_AT.has(object.object ?? '') && object.id ? { id: event.id, type: event.type, objectId: object.id } : undefined;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw fail('signature_invalid');
    }
  }
  throw fail('signature_invalid');
}

/** The card of a finished checkout, if it was saved for later. */
function cardOf({ mode, status, payment_intent: payment, setup_intent: setup }: Stripe.Checkout.Session): string | undefined {
  if (status !== 'complete') return undefined;
  const intent = mode === 'setup' ? setup : payment;
  if (!intent || typeof intent === 'string') return undefined;
  const isSaved = mode === 'setup' || ('setup_future_usage' in intent && intent.setup_future_usage === 'off_session');
  return isSaved ? idOf(intent.payment_method) : undefined;
}

async function refund(
  stripe: Stripe,
  { refundId, paymentId, amountMinor }: Parameters<PaymentProcessor['refund']>[0],
): Promise<RefundState> {
  // The processor forgets idempotency keys after a day: what it did is looked up first.
  for await (const known of stripe.refunds.list({ payment_intent: paymentId, limit: 100 }))
    if (known.metadata?.['refund_id'] === refundId) return toRefundState(known);
  try {
    const made = await stripe.refunds.create(
      { payment_intent: paymentId, amount: amountMinor, metadata: { refund_id: refundId } },
      { idempotencyKey: `${refundId}:refund` },
    );
    return toRefundState(made);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return { status: 'refused' };
    throw error;
  }
}

const toRefundState = ({ id, status }: Stripe.Refund): RefundState => ({
  id,
  status: status === 'succeeded' ? 'sent' : status === 'failed' || status === 'canceled' ? 'refused' : 'pending',
});
