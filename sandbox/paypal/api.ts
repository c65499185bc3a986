// The REST API: OAuth 2.0 with client credentials, faults, PayPal-Request-Id, the route, the answer.
import { createHash, randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { SECOND } from '#platform/clock.ts';
import { isSameText } from '#platform/mac.ts';
import { drawFault } from '../api-faults.ts';
import type { ApiFaults, PlannedFault } from '../api-faults.ts';
import type { Random } from '../random.ts';
import type { NodeBindings } from '../listener.ts';
import { withhold } from '../withhold.ts';
import type { Books } from './books.ts';
import { Problem } from '../problem.ts';
import { badClient, badGrant, badToken, inProgress, invalid, noSuchResource, outage, tooMany, unprocessable } from './problem.ts';
import { reportRoutes } from './reports.ts';
import { type Ask, type Route, disputeRoutes, paymentRoutes, vaultRoutes, webhookRoutes } from './routes.ts';
import type { Webhooks } from './webhooks.ts';

export interface ApiOptions {
  books: Books;
  clientId: string;
  clientSecret: string;
  faults: ApiFaults;
  random: Random;
  webhooks: Webhooks;
}

/** "expires_in": 32400 seconds, nine hours. https://developer.paypal.com/api/rest/authentication/ */
const TOKEN_SECONDS = 32_400;

export function createPayPalApi(options: ApiOptions): Hono<NodeBindings> {
  const { books, webhooks } = options;
  const tokens = new Map<string, number>();
  const api = new Hono<NodeBindings>();
  const routes = {
    ...paymentRoutes(books),
    ...vaultRoutes(books),
    ...disputeRoutes(books),
    ...webhookRoutes(books, webhooks),
    ...reportRoutes(books),
  };

  api.post('/v1/oauth2/token', (c) => guarded(c, options, () => grant(c, options, tokens)));
  // Served without a token, since the receiver of a webhook fetches it to verify the signature.
  api.get('/v1/notifications/certs/:id', (c) =>
    c.req.param('id') === webhooks.certificate().id ? c.text(webhooks.certificate().pem) : c.text('', 404),
  );
  for (const [target, route] of Object.entries(routes)) {
    const [method = '', path = ''] = target.split(' ');
    api.on(method, path, (c) =>
      guarded(c, options, async (fault) => {
        const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
        if ((tokens.get(token) ?? 0) <= books.now()) throw badToken();
        return run(c, books, route, fault);
      }),
    );
  }
  for (const version of ['v1', 'v2', 'v3']) api.all(`/${version}/*`, (c) => refuse(c, noSuchResource()));
  return api;
}

async function guarded(c: Ask, { faults, random }: ApiOptions, work: (fault: PlannedFault | null) => Promise<Response>): Promise<Response> {
  const fault = drawFault(faults, random, `${c.req.method} ${c.req.path}`);
  const answer = async (): Promise<Response> => {
    if (fault?.fault === 'rate_limited') throw tooMany();
    if (fault?.fault === 'error_before_effect') throw outage();
    const done = await work(fault);
    if (fault?.fault === 'error_after_effect') throw outage();
    return done;
  };
  const response = await answer().catch((error: unknown) => refuse(c, error));
  return fault?.fault === 'lost_answer' || fault?.fault === 'no_answer' ? withhold(c, fault.fault) : response;
}

async function grant(c: Ask, { books, clientId, clientSecret }: ApiOptions, tokens: Map<string, number>): Promise<Response> {
  const wanted = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (!isSameText(c.req.header('authorization') ?? '', wanted)) throw badClient();
  if ((await c.req.formData().catch(() => undefined))?.get('grant_type') !== 'client_credentials') throw badGrant();
  const access_token = `A21AA${randomBytes(48).toString('base64url')}`;
  tokens.set(access_token, books.now() + TOKEN_SECONDS * SECOND);
  return c.json({
    access_token,
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
    app_id: 'APP-80W284485P519543T',
    nonce: randomBytes(8).toString('hex'),
  });
}

/** The request ids of requests that are running now. */
const running = new WeakMap<Books, Set<string>>();

/** "PayPal returns the latest status of the previous request that used that same header": the stored answer, also a refusal, but never an outage. */
async function run(c: Ask, books: Books, route: Route, fault: PlannedFault | null): Promise<Response> {
  const id = c.req.header('paypal-request-id');
  if (route.needsId && id === undefined) throw invalid([{ issue: 'MISSING_REQUIRED_PARAMETER', field: 'PayPal-Request-Id' }]);
  const body = await readBody(c);
  const work = async (): Promise<Response> => {
    if (fault?.fault === 'held') await fault.until?.();
    return show(c, route, await route.work(c, body));
  };
  if (id === undefined || route.keptMs === undefined) return work();
  const key = `${id} ${c.req.method} ${c.req.path}`;
  const request = createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex');
  const known = books.state.answers[key];
  if (known && known.until > books.now()) {
    if (known.request !== request) throw unprocessable('PAYPAL_REQUEST_ID_PREVIOUSLY_USED');
    // A repeated creation is answered with 200.
    return c.json(known.body as object, (known.status === 201 ? 200 : known.status) as ContentfulStatusCode);
  }
  const busy = running.get(books) ?? new Set();
  running.set(books, busy);
  if (busy.has(key)) throw inProgress();
  busy.add(key);
  const remember = (status: number, body: unknown): void => {
    books.state.answers[key] = { status, body, request, until: books.now() + (route.keptMs ?? 0) };
    books.changed();
  };
  try {
    const response = await work();
    remember(response.status, await response.clone().json());
    return response;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) remember(error.status, error.body);
    throw error;
  } finally {
    busy.delete(key);
  }
}

async function readBody(c: Ask): Promise<unknown> {
  if (c.req.method === 'GET' || c.req.header('content-type')?.startsWith('multipart/')) return undefined;
  const text = await c.req.text();
  if (text === '') return undefined;
  // A body must be declared as JSON; a request without a body, such as a capture, needs no content type here.
  if (!c.req.header('content-type')?.startsWith('application/json')) throw invalid([{ issue: 'MALFORMED_REQUEST_JSON' }]);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid([{ issue: 'MALFORMED_REQUEST_JSON' }]);
  }
}

/** "return=minimal. The server returns a minimal response ... includes the id, status and HATEOAS links." It is the default. */
function show(c: Ask, { status = 200, minimal }: Route, result: object | null): Response {
  if (result === null) return c.body(null, 204);
  const whole = !minimal || c.req.header('prefer') === 'return=representation';
  const { id, status: state, links } = result as { id?: string; status?: string; links?: object[] };
  return c.json(whole ? result : { id, status: state, links }, status as ContentfulStatusCode);
}

function refuse(c: Ask, error: unknown): Response {
  const problem = error instanceof Problem ? error : outage();
  if (problem !== error) process.stderr.write(`PayPal of the sandbox failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  return c.json(problem.body, problem.status);
}
