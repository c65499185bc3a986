// Checkouts and webhooks of the card processor, by the `stripe` SDK.
import Stripe from 'stripe';
import { type Clock, MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { NO_INVOICE } from '../../domain/no-invoice.ts';
import type { Notice, PaymentRequest, PaymentState, PaymentStatus } from '../payment-processor.ts';
import { idOf, toSeconds } from './card-client.ts';
import type { PayableBy } from './configuration.ts';

/** The state of a checkout page at the processor. On such a page an order is paid, or a card is saved for an account. */
export interface CheckoutState extends Omit<PaymentState, 'arrived'> {
  accountId: string | undefined;
}

export interface CardProcessor {
  /** Opens the checkout of an order; asked again, it gives the same one. */
  openCheckout(request: PaymentRequest): Promise<{ id: string; url: string }>;
  checkout(id: string): Promise<CheckoutState>;
  /** Closes a checkout; one that is paid or closed already is left alone. */
  closeCheckout(id: string): Promise<void>;
  /** Reads a webhook. Undefined: it is about nothing of ours. Throws `signature_invalid`. */
  readNotice(body: string, signature: string): Notice | undefined;
}

export interface CardProcessorOptions {
  stripe: Stripe;
  /** The current secret and, during a rotation, the previous one. */
  webhookSecrets: readonly string[];
  clock: Clock;
  /** The methods offered to buyers, as far as the processor's dashboard has switched them on. */
  methods: readonly PayableBy[];
}

export function createCardProcessor(options: CardProcessorOptions): CardProcessor {
  const { stripe } = options;
  return {
    openCheckout: (request) => openCheckout(options, request),

    checkout: async (id) =>
      toState(await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.payment_method', 'setup_intent'] })),

    async closeCheckout(id) {
      const { status } = await stripe.checkout.sessions.retrieve(id);
      if (status === 'open') await stripe.checkout.sessions.expire(id);
    },

    readNotice: (body, signature) => readNotice(options, body, signature),
  };
}

async function openCheckout(options: CardProcessorOptions, request: PaymentRequest): Promise<{ id: string; url: string }> {
  const { stripe, clock } = options;
  const key = `${request.orderId}:checkout`;
  try {
    return opened(await stripe.checkout.sessions.create(wanted(options, request), { idempotencyKey: key }));
  } catch (error) {
    const { StripeAPIError, StripeIdempotencyError } = Stripe.errors;
    if (!(error instanceof StripeAPIError || error instanceof StripeIdempotencyError)) throw error;
    // The checkout may have been opened all the same.
    const made = await findCheckout(stripe, request);
    if (made) return made;
    if (!isFinal(error)) throw error;
    const again = `${key}:${Math.floor(clock.now().getTime() / MINUTE)}`;
    return opened(await stripe.checkout.sessions.create(wanted(options, request), { idempotencyKey: again }));
  }
}

/**
 * Whether the idempotency key gives this answer for a whole day: a 500 is replayed, and a request with another expiry is refused. Then a key of this minute is
 * used instead.
 */
const isFinal = (error: Stripe.errors.StripeError): boolean =>
  error instanceof Stripe.errors.StripeIdempotencyError || error.headers?.['idempotent-replayed'] === 'true';

/** Finds a checkout that was opened for the order although its answer was lost. The processor can search sessions only by time. */
async function findCheckout(
  stripe: Stripe,
  { orderId, placedAt, amountMinor }: PaymentRequest,
): Promise<{ id: string; url: string } | undefined> {
  const since = { created: { gte: toSeconds(placedAt) }, status: 'open' as const, limit: 100 };
  for await (const session of stripe.checkout.sessions.list(since))
    if (session.client_reference_id === orderId && session.amount_total === amountMinor) return opened(session);
  return undefined;
}

function opened({ id, url }: Stripe.Checkout.Session): { id: string; url: string } {
  if (!url) throw new Error(`checkout ${id} has no address`);
  return { id, url };
}

const wanted = ({ methods }: CardProcessorOptions, request: PaymentRequest): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  client_reference_id: request.orderId,
  locale: request.language,
  // The processor makes no invoice, and its page says so.
  custom_text: { submit: { message: NO_INVOICE[request.language] } },
  allowed_payment_method_types: [...methods],
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
  expires_at: toSeconds(request.expiresAt),
  success_url: request.successUrl,
  cancel_url: request.cancelUrl,
});

const toState = (session: Stripe.Checkout.Session): CheckoutState => ({
  id: session.id,
  orderId: session.client_reference_id ?? '',
  status: statusOf(session),
  paymentId: idOf(session.payment_intent),
  amountMinor: session.amount_total ?? 0,
  currency: (session.currency ?? '').toUpperCase(),
  meansId: cardOf(session),
  accountId: session.metadata?.['account_id'],
  meansCountry: countryOf(session.payment_intent),
});

/** With a method whose money arrives later a session is complete and unpaid; its payment intent tells whether the money is still on its way. */
function statusOf({ status, payment_status: payment, payment_intent: intent }: Stripe.Checkout.Session): PaymentStatus {
  if (payment === 'paid') return 'paid';
  if (status !== 'complete') return status === 'expired' ? 'failed' : 'pending';
  return intent && typeof intent !== 'string' && intent.status === 'processing' ? 'confirming' : 'failed';
}

/** Webhooks whose time differs from ours by more than this are refused; the SDK alone accepts any time in the future. */
const TOLERANCE_SECONDS = 300;
const LOOKED_AT: ReadonlySet<string> = new Set(['checkout.session', 'invoice', 'dispute', 'charge', 'refund', 'radar.early_fraud_warning']);
/** Of the events about a charge only `charge.refunded` matters: its payment is told by its checkout or invoice. */
const isNews = (type: string, object: string): boolean => object !== 'charge' || type === 'charge.refunded';

function readNotice({ stripe, webhookSecrets, clock }: CardProcessorOptions, body: string, signature: string): Notice | undefined {
  const now = clock.now().getTime();
  // With several times in the header the SDK verifies the last one; only a header with a single time is accepted, so that both judge the same.
  const [sent, ...others] = signature.matchAll(/(?:^|,)t=(\d+)/g);
  const sentAt = others.length === 0 ? Number(sent?.[1]) * 1_000 : Number.NaN;
  if (!(Math.abs(now - sentAt) <= TOLERANCE_SECONDS * 1_000)) throw fail('signature_invalid');
  for (const secret of webhookSecrets) {
    try {
      const event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now);
      const object = event.data.object as { id?: string; object?: string };
      return LOOKED_AT.has(object.object ?? '') && isNews(event.type, object.object ?? '') && object.id
        ? { id: event.id, type: event.type, objectId: object.id }
        : undefined;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw fail('signature_invalid');
    }
  }
  throw fail('signature_invalid');
}

/** The country in which the card was issued. */
const countryOf = (intent: Stripe.Checkout.Session['payment_intent']): string | undefined =>
  typeof intent === 'object' && typeof intent?.payment_method === 'object'
    ? (intent?.payment_method?.card?.country ?? undefined)
    : undefined;

/** The card of a finished checkout, if it was saved for later. */
function cardOf({ mode, status, payment_intent: payment, setup_intent: setup }: Stripe.Checkout.Session): string | undefined {
  if (status !== 'complete') return undefined;
  const intent = mode === 'setup' ? setup : payment;
  if (!intent || typeof intent === 'string') return undefined;
  const isSaved = mode === 'setup' || ('setup_future_usage' in intent && intent.setup_future_usage === 'off_session');
  return isSaved ? idOf(intent.payment_method) : undefined;
}
