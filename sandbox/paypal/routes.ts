// The routes of the API.
import type { Context } from 'hono';
import { DAY, HOUR } from '#platform/clock.ts';
import type { NodeBindings } from '../listener.ts';
import { type Books, found, newId } from './books.ts';
import { acceptClaim, provideEvidence, showDispute } from './dispute.ts';
import {
  acceptClaimInput,
  captureInput,
  eventTypes,
  evidencesInput,
  orderInput,
  paymentTokenInput,
  refundInput,
  setupTokenInput,
  webhookInput,
  webhookPatchInput,
} from './input.ts';
import { captureOrder, makeOrder, orderOf } from './order.ts';
import { invalid, parse, unprocessable } from './problem.ts';
import { refundCapture } from './refund.ts';
import { link, showCapture, showOrder, showRefund } from './shape.ts';
import type { WebhookListener } from './state.ts';
import { exchange, makeSetupToken, removeToken, setupTokenOf, showSetupToken, showToken } from './vault.ts';
import type { Webhooks } from './webhooks.ts';

export type Ask = Context<NodeBindings>;

export interface Route {
  /** Gets the body, which is read once and stored for a repeated request. */
  work(c: Ask, body: unknown): object | null | Promise<object | null>;
  status?: 200 | 201 | 204;
  /** How long the answer to a PayPal-Request-Id is stored, in milliseconds; absent: the route ignores the header. */
  keptMs?: number;
  /** Vault: "required: true". */
  needsId?: boolean;
  /** Whether a 201 has only status, id and links, unless `Prefer: return=representation`. */
  minimal?: boolean;
}

/** "The server stores keys for 6 hours" (orders), "45 days" (payments), "3 hours" (vault). */
const KEPT = { orders: 6 * HOUR, payments: 45 * DAY, vault: 3 * HOUR };

export function paymentRoutes(books: Books): Record<string, Route> {
  const { state } = books;
  const captureOf = (c: Ask) => found(state.captures, c.req.param('id'));
  return {
    'POST /v2/checkout/orders': {
      status: 201,
      keptMs: KEPT.orders,
      minimal: true,
      work: (c, body) => makeOrder(books, parse(orderInput, body), c.req.header('paypal-request-id')),
    },
    'GET /v2/checkout/orders/:id': { work: (c) => showOrder(books, orderOf(books, c.req.param('id'))) },
    'POST /v2/checkout/orders/:id/capture': {
      status: 201,
      keptMs: KEPT.orders,
      minimal: true,
      work: (c, body) => captureOrder(books, orderOf(books, c.req.param('id')), parse(captureInput, body ?? {})),
    },
    'GET /v2/payments/captures/:id': { work: (c) => showCapture(books, captureOf(c)) },
    'POST /v2/payments/captures/:id/refund': {
      status: 201,
      keptMs: KEPT.payments,
      minimal: true,
      work: (c, body) => refundCapture(books, captureOf(c), parse(refundInput, body ?? {})),
    },
    'GET /v2/payments/refunds/:id': { work: (c) => showRefund(books, found(state.refunds, c.req.param('id'))) },
  };
}

const SMALLEST_CUSTOMER_ID = 7;
const PAGE_SIZE = 5;

export function vaultRoutes(books: Books): Record<string, Route> {
  const { state } = books;
  const setup = { status: 201, keptMs: KEPT.vault, needsId: true } as const;
  return {
    'POST /v3/vault/setup-tokens': { ...setup, work: (_, body) => makeSetupToken(books, parse(setupTokenInput, body)) },
    'GET /v3/vault/setup-tokens/:id': { work: (c) => showSetupToken(books, setupTokenOf(books, c.req.param('id'))) },
    'POST /v3/vault/payment-tokens': { ...setup, work: (_, body) => exchange(books, parse(paymentTokenInput, body)) },
    'GET /v3/vault/payment-tokens': {
      work(c) {
        const { customer_id: id = '', page = '1', page_size: size = String(PAGE_SIZE), total_required: total } = c.req.query();
        if (id.length < SMALLEST_CUSTOMER_ID) throw invalid([{ issue: 'INVALID_STRING_LENGTH', field: 'customer_id' }]);
        const all = Object.values(state.paymentTokens).filter(({ customerId }) => customerId === id);
        const from = (Number(page) - 1) * Number(size);
        return {
          customer: { id },
          payment_tokens: all.slice(from, from + Number(size)).map((token) => showToken(books, token)),
          ...(total === 'true' && { total_items: all.length, total_pages: Math.ceil(all.length / Number(size)) }),
          links: [],
        };
      },
    },
    'GET /v3/vault/payment-tokens/:id': { work: (c) => showToken(books, found(state.paymentTokens, c.req.param('id'))) },
    'DELETE /v3/vault/payment-tokens/:id': {
      status: 204,
      work(c) {
        removeToken(books, c.req.param('id') ?? '');
        return null;
      },
    },
  };
}

export function disputeRoutes(books: Books): Record<string, Route> {
  const disputeOf = (c: Ask) => found(books.state.disputes, c.req.param('id'));
  const shown = (c: Ask) => ({ links: [link(`${books.url()}/v1/customer/disputes/${disputeOf(c).dispute_id}`, 'self')] });
  const at = '/v1/customer/disputes/:id';
  return {
    [`GET ${at}`]: { work: (c) => showDispute(books, disputeOf(c)) },
    [`POST ${at}/provide-evidence`]: {
      // multipart/form-data: `input` is JSON, all other fields are files.
      async work(c) {
        const form = await c.req.formData().catch(() => {
          throw invalid([{ issue: 'INVALID_PARAMETER_SYNTAX', description: 'multipart/form-data is expected' }]);
        });
        const input = form.get('input');
        const text = typeof input === 'string' ? input : await (input as Blob | null)?.text();
        if (text === undefined) throw invalid([{ issue: 'MISSING_REQUIRED_PARAMETER', field: '/input' }]);
        const files = [...form.values()].filter((value): value is File => value instanceof File && value.type !== 'application/json');
        for (const { size, type } of files) checkFile(size, type);
        provideEvidence(
          books,
          disputeOf(c),
          parse(evidencesInput, JSON.parse(text)),
          files.map(({ name }) => name),
        );
        return shown(c);
      },
    },
    [`POST ${at}/accept-claim`]: {
      work(c, body) {
        acceptClaim(books, disputeOf(c), parse(acceptClaimInput, body ?? {}));
        return shown(c);
      },
    },
  };
}

/** "JPG, JPEG, GIF, PNG, PDF ... up to 10 MB": developer.paypal.com/docs/disputes/integrate, Documents. */
const FILE_BYTES = 10 * 1024 * 1024;
const FILE_TYPES = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/gif']);
function checkFile(size: number, type: string): void {
  if (size > FILE_BYTES) throw unprocessable('FILE_SIZE_LIMIT_EXCEEDED');
  if (!FILE_TYPES.has(type)) throw unprocessable('INVALID_FILE_FORMAT');
}

export function webhookRoutes(books: Books, webhooks: Webhooks): Record<string, Route> {
  const show = ({ id, url, events }: WebhookListener) => ({
    id,
    url,
    event_types: events.map((name) => ({ name, status: 'ENABLED' })),
    links: [],
  });
  const at = '/v1/notifications/webhooks';
  const store = (listener: WebhookListener) => {
    books.state.listeners[listener.id] = listener;
    books.changed();
    return show(listener);
  };
  const all = () => Object.fromEntries(webhooks.listeners().map((listener) => [listener.id, listener]));
  return {
    // "page_size ... Default: 10", and a link `next` while there are more; newest first.
    [`GET ${at}-events`]: {
      work(c) {
        const { page_size: size = '10', start_time: from = '', end_time: until = '9999', event_type: type, offset = '0' } = c.req.query();
        const wanted = books.state.events.filter(
          ({ create_time: made, event_type }) => made >= from && made <= until && (type === undefined || event_type === type),
        );
        const [first, count] = [Number(offset), Number(size)];
        if (!Number.isInteger(count) || count < 1) throw invalid([{ issue: 'INVALID_PARAMETER_VALUE', field: 'page_size' }]);
        const events = wanted.toReversed().slice(first, first + count);
        const next = new URL(c.req.url, books.url());
        next.searchParams.set('offset', String(first + count));
        const more = first + count < wanted.length;
        return { events, count: events.length, links: more ? [link(`${books.url()}${next.pathname}${next.search}`, 'next')] : [] };
      },
    },
    [`GET ${at}`]: { work: () => ({ webhooks: webhooks.listeners().map(show) }) },
    [`POST ${at}`]: {
      status: 201,
      work(_, body) {
        const { url, event_types: events } = parse(webhookInput, body);
        if (webhooks.listeners().some((known) => known.url === url)) throw invalid([{ issue: 'WEBHOOK_URL_ALREADY_EXISTS' }]);
        return store({ id: newId(), url, events: events.map(({ name }) => name) });
      },
    },
    [`PATCH ${at}/:id`]: {
      work(c, body) {
        const changed = { ...found(all(), c.req.param('id')) };
        for (const { path, value } of parse(webhookPatchInput, body))
          if (path === '/url') changed.url = String(value);
          else changed.events = parse(eventTypes, value).map(({ name }) => name);
        return store(changed);
      },
    },
  };
}
