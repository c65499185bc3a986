// The routes of the Greenfield API: the store, its invoices, its webhook and the webhook's deliveries.
import type { Context } from 'hono';
import type { NodeBindings } from '../listener.ts';
import type { Books } from './books.ts';
import {
  createInvoiceInput,
  deliveriesInput,
  listInput,
  markInput,
  oneInvoiceInput,
  paymentMethodsInput,
  updateInvoiceInput,
} from './input.ts';
import { createInvoice, toInvoiceData, toPaymentMethodData } from './invoice.ts';
import { mark } from './payment.ts';
import { badJson, misfit, noSuchDelivery, noSuchInvoice, noSuchWebhook, parse } from './problem.ts';
import type { CryptoInvoice, Delivery } from './state.ts';
import { CRYPTO_STORE_ID, CURRENCY, STORE_NAME, WEBHOOK_ID } from './store.ts';

export type Ask = Context<NodeBindings>;
export type Work = (c: Ask) => Promise<unknown> | unknown;
/** From "GET /stores/:store" to its handler. */
export type Routes = Readonly<Record<string, Work>>;

const STORE = '/stores/:store';
const TAKE = 50;

export const storeRoutes = (apiKey: string): Routes => ({
  'GET /api-keys/current': () => ({ apiKey, label: 'Egress', permissions: [`btcpay.store.canmodifystoresettings:${CRYPTO_STORE_ID}`] }),
  [`GET ${STORE}`]: () => ({ id: CRYPTO_STORE_ID, name: STORE_NAME, defaultCurrency: CURRENCY, speedPolicy: 'MediumSpeed' }),
});

/** An invoice can be addressed with its store in the path, or without. */
export function invoiceRoutes(books: Books): Routes {
  const invoiceOf = (c: Ask): CryptoInvoice => {
    const { invoices } = books.state;
    const id = c.req.param('id') ?? '';
    const invoice = Object.hasOwn(invoices, id) ? invoices[id] : undefined;
    if (!invoice) throw noSuchInvoice();
    return invoice;
  };
  const show = (invoice: CryptoInvoice, withMethods = false): object => ({
    ...toInvoiceData(books, invoice),
    ...(withMethods && { paymentMethods: [toPaymentMethodData(invoice)] }),
  });
  const archive = (c: Ask, archived: boolean): object => {
    const invoice = invoiceOf(c);
    invoice.archived = archived;
    books.changed();
    return show(invoice);
  };
  const one: Routes = {
    'GET ': (c) => show(invoiceOf(c), parse(oneInvoiceInput, c.req.queries()).includePaymentMethods),
    'PUT ': async (c) => {
      const invoice = invoiceOf(c);
      invoice.metadata = parse(updateInvoiceInput, await readJson(c)).metadata ?? {};
      books.changed();
      return show(invoice);
    },
    'DELETE ': (c) => archive(c, true),
    'POST /unarchive': (c) => archive(c, false),
    'GET /payment-methods': (c) => [toPaymentMethodData(invoiceOf(c), parse(paymentMethodsInput, c.req.queries()).onlyAccountedPayments)],
    'POST /status': async (c) => {
      const invoice = invoiceOf(c);
      const { status } = parse(markInput, await readJson(c));
      if (!mark(books, invoice, status))
        throw misfit([{ path: 'status', message: `An invoice that is ${invoice.status} cannot be marked as ${status}.` }]);
      return show(invoice);
    },
  };
  const routes: Record<string, Work> = {
    [`POST ${STORE}/invoices`]: async (c) => show(createInvoice(books, parse(createInvoiceInput, await readJson(c)))),
    [`GET ${STORE}/invoices`]: (c) => {
      const wanted = parse(listInput, c.req.queries());
      const found = Object.values(books.state.invoices)
        .filter((invoice) => isWanted(invoice, wanted))
        .toReversed();
      const page = found.slice(wanted.skip ?? 0, (wanted.skip ?? 0) + (wanted.take ?? TAKE));
      return page.map((invoice) => show(invoice, wanted.includePaymentMethods));
    },
  };
  for (const [target, work] of Object.entries(one)) {
    const [method, path] = target.split(' ');
    for (const prefix of ['', STORE]) routes[`${method} ${prefix}/invoices/:id${path}`] = work;
  }
  return routes;
}

/** `redeliver` sends an event again and returns the new delivery's id. */
export function webhookRoutes(books: Books, redeliver: (delivery: Delivery) => string): Routes {
  const ofWebhook = (c: Ask): Delivery[] => {
    if (c.req.param('webhook') !== WEBHOOK_ID) throw noSuchWebhook();
    return Object.values(books.state.deliveries);
  };
  const deliveryOf = (c: Ask): Delivery => {
    const delivery = ofWebhook(c).find(({ id }) => id === c.req.param('delivery'));
    if (!delivery) throw noSuchDelivery();
    return delivery;
  };
  const webhook = (): object => ({
    id: WEBHOOK_ID,
    enabled: true,
    automaticRedelivery: true,
    url: books.webhookUrl(),
    authorizedEvents: { everything: true, specificEvents: [] },
  });
  return {
    [`GET ${STORE}/webhooks`]: () => [webhook()],
    'GET /webhooks/:webhook/deliveries': (c) => {
      const deliveries = ofWebhook(c);
      const { count = TAKE } = parse(deliveriesInput, c.req.queries());
      return deliveries.toReversed().slice(0, count).map(toDeliveryData);
    },
    'GET /webhooks/:webhook/deliveries/:delivery': (c) => toDeliveryData(deliveryOf(c)),
    'GET /webhooks/:webhook/deliveries/:delivery/request': (c) => JSON.parse(deliveryOf(c).body) as unknown,
    'POST /webhooks/:webhook/deliveries/:delivery/redeliver': (c) => redeliver(deliveryOf(c)),
    'GET /webhooks/:webhook': (c) => (ofWebhook(c), webhook()),
  };
}

async function readJson(c: Ask): Promise<unknown> {
  return c.req.json<unknown>().catch(() => {
    throw badJson();
  });
}

function isWanted(invoice: CryptoInvoice, wanted: ReturnType<typeof listInput.parse>): boolean {
  const { orderId, status, textSearch, startDate = 0, endDate = Infinity } = wanted;
  const words = [invoice.id, String(invoice.metadata['orderId'] ?? ''), ...invoice.searchTerms];
  return (
    !invoice.archived &&
    (orderId === undefined || orderId.includes(String(invoice.metadata['orderId']))) &&
    (status === undefined || status.includes(invoice.status)) &&
    (textSearch === undefined || words.some((word) => word.includes(textSearch))) &&
    invoice.createdAt >= startDate &&
    invoice.createdAt <= endDate
  );
}

/** `WebhookDeliveryData` of the API. */
const toDeliveryData = (delivery: Delivery): object => ({
  id: delivery.id,
  timestamp: delivery.createdAt,
  deliveryTime: delivery.sentAt,
  httpCode: delivery.httpCode,
  errorMessage: delivery.httpCode === null ? 'No answer' : delivery.httpCode < 300 ? '' : `HTTP ${delivery.httpCode}`,
  status: delivery.httpCode === null ? 'Failed' : delivery.httpCode < 300 ? 'HttpSuccess' : 'HttpError',
});
