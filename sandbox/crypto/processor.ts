// The crypto processor: starts the API, the payment site and the webhook, and provides the controls for tests.
import { Hono } from 'hono';
import type { ApiFaults } from '../api-faults.ts';
import { noDeliveryFaults } from '../sender.ts';
import type { DeliveryFaults } from '../sender.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { notifierOf } from '../notifier.ts';
import type { Notifier } from '../notifier.ts';
import type { ProcessorOptions } from '../processor-options.ts';
import { openSnapshot } from '../snapshot.ts';
import { createCryptoApi } from './api.ts';
import { openBooks } from './books.ts';
import { paidCents, toInvoiceData } from './invoice.ts';
import { toCents } from './money.ts';
import { confirm, passTime, receive } from './payment.ts';
import { createCryptoSite } from './site.ts';
import { emptyCryptoState } from './state.ts';
import type { CryptoInvoice, Delivery } from './state.ts';
import { CONFIRMATIONS } from './store.ts';
import { createWebhooks } from './webhooks.ts';

export interface CryptoProcessor extends Notifier {
  readonly faults: { webhooks: DeliveryFaults; api: ApiFaults };
  /** An unconfirmed transaction of `amount` appears, which is a decimal in the invoice's currency; default: the amount due. */
  pay(invoiceId: string, options?: { amount?: string }): void;
  /** Finds that many blocks; default: as many as the invoice's speed policy needs. */
  confirm(invoiceId: string, blocks?: number): void;
  /** Processes everything that is due by the clock. Also done once a second, and before every request. */
  tick(): void;
  /** All invoices in the form in which the API returns them, oldest first. */
  invoices(): Record<string, unknown>[];
  /** The amount that has arrived for an invoice, in cents. */
  receivedCents(invoiceId: string): number;
  /** All deliveries, oldest first. */
  deliveries(): Delivery[];
}

const TICK_MS = 1_000;

export async function startCryptoProcessor(options: ProcessorOptions): Promise<CryptoProcessor> {
  const { clock, random } = options;
  const snapshot = await openSnapshot(options.dataDir, 'crypto', emptyCryptoState());
  const { state } = snapshot;
  const faults = { webhooks: noDeliveryFaults(), api: { next: [], ratios: {} } as ApiFaults };
  const app = new Hono<NodeBindings>();
  const listener = await listen(app, options.host, options.port);
  const webhooks = createWebhooks({ ...options, faults: faults.webhooks, state, changed: snapshot.changed });
  const books = openBooks({
    state,
    clock,
    changed: snapshot.changed,
    url: () => listener.url,
    webhookUrl: options.webhookUrl,
    onEvent: webhooks.send,
  });

  app.route('/api/v1', createCryptoApi({ books, apiKey: options.apiKey, faults: faults.api, random, redeliver: webhooks.redeliver }));
  app.route('/', createCryptoSite(books, options.vendors));
  const ticking = setInterval(() => passTime(books), TICK_MS).unref();
  const find = (id: string): CryptoInvoice => {
    passTime(books);
    const invoice = state.invoices[id];
    if (!invoice) throw new Error(`No such invoice: ${id}`);
    return invoice;
  };

  return {
    ...notifierOf({ listener, sender: webhooks.sender, snapshot, ticking }),
    faults,
    pay(invoiceId, { amount } = {}) {
      const invoice = find(invoiceId);
      const cents = amount === undefined ? invoice.cents - paidCents(invoice) : toCents(amount);
      if (cents === null || cents <= 0) throw new Error(`No amount to pay: ${amount ?? 'nothing is due'}`);
      receive(books, invoice, cents);
    },
    confirm(invoiceId, blocks) {
      const invoice = find(invoiceId);
      confirm(books, invoice, blocks ?? CONFIRMATIONS[invoice.checkout.speedPolicy]);
    },
    tick: () => passTime(books),
    invoices: () => Object.values(state.invoices).map((invoice) => toInvoiceData(books, invoice)),
    receivedCents: (invoiceId) => paidCents(find(invoiceId)),
    deliveries: () => Object.values(state.deliveries),
  };
}
