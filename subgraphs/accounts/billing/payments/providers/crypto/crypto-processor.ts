// Checkouts and webhooks of the crypto processor, by the Greenfield API of BTCPay Server.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { SECOND } from '#platform/clock.ts';
import type { Language } from '#platform/language.ts';
import { fail } from '#platform/errors.ts';
import { formatMoney, toMinor } from '#commerce/money.ts';
import { isSameText } from '#platform/mac.ts';
import { NO_INVOICE } from '../../domain/no-invoice.ts';
import type { Notice, PaymentState } from '../payment-processor.ts';
import { type CryptoCheck, createCryptoCheck } from './crypto-check.ts';
import type { CryptoTerms } from './configuration.ts';

export interface CryptoCheckoutRequest {
  /** Our own reference; one reference has one checkout. */
  reference: string;
  email: string | undefined;
  title: string;
  language: Language;
  amountMinor: number;
  currency: string;
  /** How many minutes the checkout can be paid. */
  minutes: number;
  /** How long after that a transaction is still looked for. */
  watchMinutes: number;
  successUrl: string;
}

/** What the processor says of a checkout now. */
export interface CryptoCheckoutState extends Pick<PaymentState, 'id' | 'status' | 'amountMinor' | 'currency'> {
  reference: string;
  /** Of the invoice's currency, what has appeared: confirmed or not. */
  seenMinor: number;
  confirmedMinor: number;
  expiresAt: Date;
  watchedUntil: Date;
}

export interface CryptoProcessor extends CryptoCheck {
  /** The same reference gives the same checkout: it is looked for before one is made, since the API knows no idempotency keys. */
  openCheckout(request: CryptoCheckoutRequest): Promise<{ id: string; url: string }>;
  checkout(id: string): Promise<CryptoCheckoutState>;
  /** Nothing when money has come in already, or its time is over. */
  closeCheckout(id: string): Promise<void>;
  /** Throws `signature_invalid`. Undefined: a notice that concerns no invoice of our store. Repeats of a notice have the id of the first. */
  readNotice(body: string, signature: string): Notice | undefined;
}

/** Of one request; a call of ours is two at most, for which a person may wait. */
const TIMEOUT_MS = 5 * SECOND;

/** It did not answer, or could not: nobody knows whether anything happened. */
export class CryptoTrouble extends Error {}

const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
const invoiceShape = z.object({
  id: z.string().min(1),
  storeId: z.string(),
  amount: decimal,
  currency: z.string(),
  checkoutLink: z.url({ protocol: /^https?$/ }),
  createdTime: z.number(),
  expirationTime: z.number(),
  monitoringExpiration: z.number(),
  status: z.enum(['New', 'Processing', 'Expired', 'Invalid', 'Settled']),
  metadata: z.object({ orderId: z.string().nullish() }).nullish(),
});
type InvoiceData = z.output<typeof invoiceShape>;
const methodsShape = z.array(
  z.object({
    rate: decimal,
    payments: z.array(z.object({ value: decimal, fee: decimal.nullish(), status: z.enum(['Invalid', 'Processing', 'Settled']) })),
  }),
);
type MethodData = z.output<typeof methodsShape>[number];
const noticeShape = z.object({
  deliveryId: z.string().min(1),
  originalDeliveryId: z.string().min(1).nullish(),
  type: z.string().min(1),
  storeId: z.string(),
  invoiceId: z.string().min(1),
});

/** New: partial once something has appeared. Expired and Invalid: what still arrives pays nothing. */
const STATUS = { New: 'pending', Processing: 'confirming', Settled: 'paid', Expired: 'failed', Invalid: 'failed' } as const;

export function createCryptoProcessor({ url, storeId, apiKey, webhookSecrets, timeoutMs = TIMEOUT_MS }: CryptoTerms): CryptoProcessor {
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `token ${apiKey}`, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
      .then(async (response) => ({ ok: response.ok, status: response.status, text: await response.text() }))
      .catch((cause: unknown) => {
        throw new CryptoTrouble(`${method} ${path}: ${String(cause)}`, { cause });
      });
    if (answer.ok) return JSON.parse(answer.text);
    const said = `the crypto processor answers ${answer.status} to ${method} ${path}: ${answer.text.slice(0, 300)}`;
    throw answer.status >= 500 || answer.status === 429 ? new CryptoTrouble(said) : new Error(said);
  }
  const invoices = `/stores/${storeId}/invoices`;
  const read = async (id: string): Promise<InvoiceData> => {
    const invoice = invoiceShape.parse(await call('GET', `/invoices/${encodeURIComponent(id)}`));
    if (invoice.storeId !== storeId) throw new Error(`invoice ${id} belongs to another store`);
    return invoice;
  };
  const find = async (reference: string): Promise<InvoiceData | undefined> => {
    const found = z.array(invoiceShape).parse(await call('GET', `${invoices}?${new URLSearchParams({ orderId: reference })}`));
    return found.filter(({ metadata }) => metadata?.orderId === reference).toSorted((one, other) => one.createdTime - other.createdTime)[0];
  };

  return {
    ...createCryptoCheck(call, { url, storeId }),

    async openCheckout({ reference, email, title, language, amountMinor, currency, minutes, watchMinutes, successUrl }) {
      const known = await find(reference);
      const { id, checkoutLink } =
        known ??
        invoiceShape.parse(
          await call('POST', invoices, {
            amount: formatMoney({ amountMinor, currency }).split(' ')[0],
            currency,
            metadata: {
              orderId: reference,
              itemDesc: `${title}. ${NO_INVOICE[language]}`,
              ...(email !== undefined && { buyerEmail: email }),
            },
            checkout: {
              expirationMinutes: minutes,
              monitoringMinutes: watchMinutes,
              // What is missing becomes account credit and pays nothing.
              paymentTolerance: 0,
              redirectURL: successUrl,
              redirectAutomatically: true,
            },
          }),
        );
      return { id, url: checkoutLink };
    },

    async checkout(id) {
      const invoice = await read(id);
      const methods = methodsShape.parse(
        await call('GET', `/invoices/${encodeURIComponent(id)}/payment-methods?onlyAccountedPayments=false`),
      );
      return toState(invoice, methods);
    },

    async closeCheckout(id) {
      if ((await read(id)).status === 'New') await call('POST', `/invoices/${encodeURIComponent(id)}/status`, { status: 'Invalid' });
    },

    readNotice(body, signature) {
      const signed = webhookSecrets.some((secret) =>
        isSameText(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
      );
      if (!signed) throw fail('signature_invalid');
      const { data } = noticeShape.safeParse(JSON.parse(body));
      if (data?.storeId !== storeId) return undefined;
      return { id: data.originalDeliveryId ?? data.deliveryId, type: data.type, objectId: data.invoiceId };
    },
  };
}

function toState(invoice: InvoiceData, methods: readonly MethodData[]): CryptoCheckoutState {
  const status = STATUS[invoice.status];
  const seenMinor = sumOf(methods, ['Processing', 'Settled']);
  return {
    id: invoice.id,
    reference: invoice.metadata?.orderId ?? '',
    status: status === 'pending' && seenMinor > 0 ? 'partial' : status,
    amountMinor: toMinor(invoice.amount.replace(/(\.\d\d)0+$/, '$1')),
    currency: invoice.currency,
    seenMinor,
    confirmedMinor: sumOf(methods, ['Settled']),
    expiresAt: new Date(invoice.expirationTime * 1_000),
    watchedUntil: new Date(invoice.monitoringExpiration * 1_000),
  };
}

/** Payments are given in coins, at the invoice's rate; fees that the payer was charged for are not ours. Cents that are not whole are left out. */
function sumOf(methods: readonly MethodData[], statuses: readonly string[]): number {
  return methods.reduce((sum, { rate, payments }) => {
    const coins = payments
      .filter(({ status }) => statuses.includes(status))
      .reduce((total, { value, fee }) => total + toUnits(value) - toUnits(fee ?? '0'), 0n);
    return sum + Number((coins * toUnits(rate) * 100n) / (UNIT * UNIT));
  }, 0);
}

/** Coins have up to 18 decimals. */
const PLACES = 18;
const UNIT = 10n ** BigInt(PLACES);
function toUnits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const magnitude = BigInt(whole.replace('-', '')) * UNIT + BigInt(fraction.slice(0, PLACES).padEnd(PLACES, '0'));
  return text.startsWith('-') ? -magnitude : magnitude;
}
