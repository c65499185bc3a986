// The Greenfield API: token, faults, the route, the answer. An invoice is found with its store in the path, or without.
import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { drawFault } from '../api-faults.ts';
import type { ApiFaults } from '../api-faults.ts';
import type { Dice } from '../dice.ts';
import type { NodeBindings } from '../listener.ts';
import { withhold } from '../withhold.ts';
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
import { mark, passTime } from './payment.ts';
import {
  badJson,
  forbidden,
  misfit,
  noSuchDelivery,
  noSuchInvoice,
  noSuchPath,
  noSuchWebhook,
  outage,
  parse,
  Problem,
  tooMany,
  unauthenticated,
} from './problem.ts';
import type { CryptoInvoice, Delivery } from './state.ts';
import { CRYPTO_STORE_ID, CURRENCY, STORE_NAME, WEBHOOK_ID } from './store.ts';

export interface CryptoApiOptions {
  books: Books;
  apiKey: string;
  faults: ApiFaults;
  dice: Dice;
  /** Sends an event once more; gives the new delivery's id. */
  redeliver: (delivery: Delivery) => string;
}

type Ask = Context<NodeBindings>;
type Work = (c: Ask) => Promise<unknown> | unknown;

const STORE = '/stores/:store';
const TAKE = 50;

/** The routes under /api/v1. */
export function createCryptoApi({ books, apiKey, faults, dice, redeliver }: CryptoApiOptions): Hono<NodeBindings> {
  const { state } = books;
  const invoiceOf = (c: Ask): CryptoInvoice => {
    const id = c.req.param('id') ?? '';
    const invoice = Object.hasOwn(state.invoices, id) ? state.invoices[id] : undefined;
    if (!invoice) throw noSuchInvoice();
    return invoice;
  };
  const deliveryOf = (c: Ask): Delivery => {
    if (c.req.param('webhook') !== WEBHOOK_ID) throw noSuchWebhook();
    const delivery = Object.values(state.deliveries).find(({ id }) => id === c.req.param('delivery'));
    if (!delivery) throw noSuchDelivery();
    return delivery;
  };
  const show = (invoice: CryptoInvoice, withMethods = false): object => ({
    ...toInvoiceData(books, invoice),
    ...(withMethods && { paymentMethods: [toPaymentMethodData(invoice)] }),
  });
  const webhook = (): object => ({
    id: WEBHOOK_ID,
    enabled: true,
    automaticRedelivery: true,
    url: books.webhookUrl(),
    authorizedEvents: { everything: true, specificEvents: [] },
  });

  const invoices: Record<string, Work> = {
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
  const archive = (c: Ask, archived: boolean): object => {
    const invoice = invoiceOf(c);
    invoice.archived = archived;
    books.changed();
    return show(invoice);
  };

  const routes: Record<string, Work> = {
    'GET /api-keys/current': () => ({ apiKey, label: 'Egress', permissions: [`btcpay.store.canmodifystoresettings:${CRYPTO_STORE_ID}`] }),
    [`GET ${STORE}`]: () => ({ id: CRYPTO_STORE_ID, name: STORE_NAME, defaultCurrency: CURRENCY, speedPolicy: 'MediumSpeed' }),
    [`POST ${STORE}/invoices`]: async (c) => show(createInvoice(books, parse(createInvoiceInput, await readJson(c)))),
    [`GET ${STORE}/invoices`]: (c) => {
      const wanted = parse(listInput, c.req.queries());
      const found = Object.values(state.invoices)
        .filter((invoice) => isWanted(invoice, wanted))
        .toReversed();
      const page = found.slice(wanted.skip ?? 0, (wanted.skip ?? 0) + (wanted.take ?? TAKE));
      return page.map((invoice) => show(invoice, wanted.includePaymentMethods));
    },
    [`GET ${STORE}/webhooks`]: () => [webhook()],
    'GET /webhooks/:webhook/deliveries': (c) => {
      if (c.req.param('webhook') !== WEBHOOK_ID) throw noSuchWebhook();
      const { count = TAKE } = parse(deliveriesInput, c.req.queries());
      return Object.values(state.deliveries).toReversed().slice(0, count).map(toDeliveryData);
    },
    'GET /webhooks/:webhook/deliveries/:delivery': (c) => toDeliveryData(deliveryOf(c)),
    'GET /webhooks/:webhook/deliveries/:delivery/request': (c) => JSON.parse(deliveryOf(c).body) as unknown,
    'POST /webhooks/:webhook/deliveries/:delivery/redeliver': (c) => redeliver(deliveryOf(c)),
    'GET /webhooks/:webhook': (c) => {
      if (c.req.param('webhook') !== WEBHOOK_ID) throw noSuchWebhook();
      return webhook();
    },
  };
  for (const [target, work] of Object.entries(invoices)) {
    const [method, path] = target.split(' ');
    for (const prefix of ['', STORE]) routes[`${method} ${prefix}/invoices/:id${path}`] = work;
  }

  async function answer(c: Ask, work: Work): Promise<Response> {
    const target = `${c.req.method} ${c.req.path}`;
    const fault = drawFault(faults, dice, target);
    const run = async (): Promise<Response> => {
      checkToken(c.req.header('authorization'), apiKey);
      const store = c.req.param('store');
      if (store !== undefined && store !== CRYPTO_STORE_ID) throw forbidden('btcpay.store.canviewinvoices');
      if (fault?.fault === 'rate_limited') throw tooMany();
      if (fault?.fault === 'error_before_effect') throw outage();
      if (fault?.fault === 'held') await fault.until?.();
      passTime(books);
      const result = await work(c);
      if (fault?.fault === 'error_after_effect') throw outage();
      return c.json(result as object);
    };
    const response = await run().catch((error: unknown) => refuse(c, error));
    return fault?.fault === 'lost_answer' || fault?.fault === 'no_answer' ? withhold(c, fault.fault) : response;
  }

  const api = new Hono<NodeBindings>();
  api.get('/health', (c) => c.json({ synchronized: true }));
  for (const [target, work] of Object.entries(routes)) {
    const [method = '', path = ''] = target.split(' ');
    api.on(method, path, (c) => answer(c, work));
  }
  api.all('*', (c) =>
    answer(c, () => {
      throw noSuchPath();
    }),
  );
  return api;
}

function checkToken(authorization: string | undefined, apiKey: string): void {
  const [given, wanted] = [Buffer.from(authorization ?? ''), Buffer.from(`token ${apiKey}`)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw unauthenticated();
}

async function readJson(c: Ask): Promise<unknown> {
  return c.req.json<unknown>().catch(() => {
    throw badJson();
  });
}

function refuse(c: Ask, error: unknown): Response {
  const problem = error instanceof Problem ? error : outage();
  if (problem !== error)
    process.stderr.write(`The crypto processor of the sandbox failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  return c.json(problem.body, problem.status);
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
