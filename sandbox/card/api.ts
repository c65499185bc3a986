// The HTTP side of the API: checks the key, applies faults and idempotency, finds the route, and sends the answer.
import { Hono } from 'hono';
import type { Context } from 'hono';
import Stripe from 'stripe';
import type { Random } from '../random.ts';
import type { NodeBindings } from '../listener.ts';
import { withhold } from '../withhold.ts';
import { passTime } from './time.ts';
import { drawFault } from '../api-faults.ts';
import type { ApiFaults, PlannedFault } from '../api-faults.ts';
import type { Books } from './books.ts';
import { expand } from './expand.ts';
import { Fault, noKey, noSuchUrl, outage, rateLimited, wrongKey, wrongVersion } from './fault.ts';
import { decodeForm } from './form.ts';
import type { FormFields } from './form.ts';
import { createIdempotencyStore } from './idempotency.ts';
import type { StoredAnswer } from './state.ts';
import { createId } from './ids.ts';
import { balanceRoutes } from './resources/balance-transactions.ts';
import { catalogueRoutes } from './resources/catalogue.ts';
import { chargeRoutes } from './resources/charges.ts';
import { checkoutSessionRoutes } from './resources/checkout-sessions.ts';
import { creditNoteRoutes } from './resources/credit-notes.ts';
import { customerRoutes } from './resources/customers.ts';
import { disputeRoutes } from './resources/disputes.ts';
import { invoiceItemRoutes } from './resources/invoice-items.ts';
import { invoicePreviewRoutes } from './resources/invoice-previews.ts';
import { invoiceRoutes } from './resources/invoices.ts';
import { merchantRoutes } from './resources/merchant.ts';
import { paymentIntentRoutes } from './resources/payment-intents.ts';
import { paymentMethodRoutes } from './resources/payment-methods.ts';
import { payoutRoutes } from './resources/payouts.ts';
import { refundRoutes } from './resources/refunds.ts';
import { setupIntentRoutes } from './resources/setup-intents.ts';
import { subscriptionItemRoutes } from './resources/subscription-items.ts';
import { subscriptionRoutes } from './resources/subscriptions.ts';
import { taxRateRoutes } from './resources/tax-rates.ts';
import { frozenTimeOf, testClockRoutes } from './resources/test-clocks.ts';
import { webhookEndpointRoutes } from './resources/webhook-endpoints.ts';
import { readForm } from './multipart.ts';
import { matchPath } from './route.ts';
import type { Route } from './route.ts';
import { list, text } from './shape.ts';

const ROUTES: readonly Route[] = [
  ...customerRoutes,
  ...balanceRoutes,
  ...payoutRoutes,
  ...paymentMethodRoutes,
  ...checkoutSessionRoutes,
  ...setupIntentRoutes,
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...catalogueRoutes,
  ...taxRateRoutes,
  ...subscriptionRoutes,
  ...subscriptionItemRoutes,
  // Before the invoices, whose `:id` would match `create_preview`.
  ...invoicePreviewRoutes,
  ...invoiceRoutes,
  ...invoiceItemRoutes,
  ...creditNoteRoutes,
  ...testClockRoutes,
  ...merchantRoutes,
  ...webhookEndpointRoutes,
];

export interface CardApiOptions {
  books: Books;
  apiKey: string;
  faults: ApiFaults;
  random: Random;
}

type Answer = Pick<StoredAnswer, 'status' | 'body' | 'headers'>;
type Ask = Context<NodeBindings>;

/** The routes under /v1. */
export function createCardApi({ books, apiKey, faults, random }: CardApiOptions): Hono<NodeBindings> {
  const store = createIdempotencyStore(books);

  /** Runs a request that has reserved its key, if it has one; stores the answer unless the request was refused before it began. */
  function run(found: FoundRoute, form: string, requestId: string, key: string | null, fault: PlannedFault | null): Answer {
    const { expand: paths, ...fields } = decodeForm(form);
    const input = found.route.input(fields, '');
    const expanded = paths === undefined ? [] : list(text())(paths, 'expand');
    let answer: Answer;
    try {
      const cause = { id: requestId, idempotency_key: key };
      const at = frozenTimeOf(books, [found.ids['id'], idIn(fields, 'customer'), idIn(fields, 'subscription'), idIn(fields, 'invoice')]);
      const frame = at === undefined ? { cause } : { cause, at };
      const result = books.within(frame, () => found.route.run({ books, input, ids: found.ids, cause }));
      answer = { status: 200, body: JSON.stringify(expand(books, result, expanded), null, 2), headers: {} };
    } catch (error) {
      answer = toAnswer(error);
    }
    if (fault?.fault === 'error_after_effect') answer = toAnswer(outage(false));
    if (key !== null) store.finish(key, { ...answer, requestId });
    return answer;
  }

  async function answerTo(c: Ask, requestId: string): Promise<{ answer: Answer; fault: PlannedFault | null }> {
    checkKey(c.req.header('authorization'), apiKey);
    const version = c.req.header('stripe-version') ?? Stripe.API_VERSION;
    if (version !== Stripe.API_VERSION) throw wrongVersion(version);
    const { method, path } = c.req;
    const fault = drawFault(faults, random, `${method} ${path}`);
    if (fault?.fault === 'rate_limited') throw rateLimited();
    if (fault?.fault === 'error_before_effect') throw outage(true);

    const found = findRoute(method, path);
    const form = method !== 'POST' ? new URL(c.req.url).search : await readForm(c);
    const key = method === 'POST' ? (c.req.header('idempotency-key') ?? null) : null;
    const before = key === null ? null : store.begin(key, path, form);
    if (before) {
      const headers = { ...before.headers, 'idempotent-replayed': 'true', 'original-request': before.requestId };
      return { answer: { ...before, headers }, fault };
    }
    try {
      if (fault?.fault === 'held') await fault.until?.();
      passTime(books);
      return { answer: run(found, form, requestId, key, fault), fault };
    } finally {
      if (key !== null) store.release(key);
    }
  }

  return new Hono<NodeBindings>().all('*', async (c) => {
    const requestId = createId('req');
    const { answer, fault } = await answerTo(c, requestId).catch((error: unknown) => ({ answer: toAnswer(error), fault: null }));
    if (fault?.fault === 'lost_answer' || fault?.fault === 'no_answer') return withhold(c, fault.fault);
    return c.body(answer.body, answer.status, {
      'content-type': 'application/json',
      'request-id': requestId,
      'stripe-version': Stripe.API_VERSION,
      ...(c.req.header('idempotency-key') !== undefined && { 'idempotency-key': c.req.header('idempotency-key') }),
      ...answer.headers,
    });
  });
}

const idIn = (fields: FormFields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
};

interface FoundRoute {
  route: Route;
  ids: Record<string, string>;
}

function findRoute(method: string, path: string): FoundRoute {
  for (const route of ROUTES) {
    const ids = route.method === method ? matchPath(route.path, path) : null;
    if (ids) return { route, ids };
  }
  throw noSuchUrl(method, path);
}

/** The key as a bearer token, or as the user name of basic authentication (`curl -u KEY:`). */
function checkKey(authorization: string | undefined, apiKey: string): void {
  const [scheme, credentials = ''] = (authorization ?? '').split(' ');
  if (credentials === '') throw noKey();
  const given = scheme?.toLowerCase() === 'basic' ? (Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '') : credentials;
  if (given !== apiKey) throw wrongKey(given);
}

function toAnswer(error: unknown): Answer {
  const fault = error instanceof Fault ? error : outage(true);
  if (fault !== error)
    process.stderr.write(`The card processor of the sandbox failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  return { status: fault.status, body: JSON.stringify({ error: fault.body }, null, 2), headers: fault.headers };
}
