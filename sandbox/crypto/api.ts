// The Greenfield API: checks the token, applies faults, finds the route, and sends the answer.
import { timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { drawFault } from '../api-faults.ts';
import type { ApiFaults } from '../api-faults.ts';
import type { Random } from '../random.ts';
import type { NodeBindings } from '../listener.ts';
import { withhold } from '../withhold.ts';
import type { Books } from './books.ts';
import { passTime } from './payment.ts';
import { Problem } from '../problem.ts';
import { forbidden, noSuchPath, outage, tooMany, unauthenticated } from './problem.ts';
import { invoiceRoutes, storeRoutes, webhookRoutes } from './routes.ts';
import type { Ask, Work } from './routes.ts';
import type { Delivery } from './state.ts';
import { CRYPTO_STORE_ID } from './store.ts';

export interface CryptoApiOptions {
  books: Books;
  apiKey: string;
  faults: ApiFaults;
  random: Random;
  /** Sends an event again; returns the new delivery's id. */
  redeliver: (delivery: Delivery) => string;
}

/** The routes under /api/v1. */
export function createCryptoApi({ books, apiKey, faults, random, redeliver }: CryptoApiOptions): Hono<NodeBindings> {
  const routes = { ...storeRoutes(apiKey), ...invoiceRoutes(books), ...webhookRoutes(books, redeliver) };

  async function answer(c: Ask, work: Work): Promise<Response> {
    const target = `${c.req.method} ${c.req.path}`;
    const fault = drawFault(faults, random, target);
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

function refuse(c: Ask, error: unknown): Response {
  const problem = error instanceof Problem ? error : outage();
  if (problem !== error)
    process.stderr.write(`The crypto processor of the sandbox failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  return c.json(problem.body, problem.status);
}
