// Documents from outside are planned in a worker thread, fairly between callers, on each caller's budget.
import { afterEach, expect, test } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import { type Site, type SiteOptions, bearer, startSite } from '../../site.ts';
import { until } from '../../world.ts';

let site: Site;
let ticks = 0;
async function start(options: SiteOptions = {}): Promise<void> {
  ticks = 0;
  site = await startSite({ now: () => ticks, ...options });
}
afterEach(() => site.close());

let count = 0;
/** A document that nobody has sent before. */
const fresh = () => `query Q${++count} { viewerKind }`;
const cookie = { cookie: 'egress_session=token-a' };
const codeOf = async (response: Response) =>
  ((await response.json()) as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code;

/** A budget of a hundredth of a millisecond, which every document exceeds. */
const SMALL = { burst: 0.01, perSecond: 0.001 };

test('an address without a key that has used up its planning gets Retry-After, and still gets answers to cached documents', async () => {
  await start({ planning: { address: SMALL } });
  const known = fresh();
  expect((await site.graphql(known)).status).toBe(200);
  const refused = await site.graphql(fresh());
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await codeOf(refused)).toBe('too_many_attempts');
  expect((await site.graphql(known)).status).toBe(200);
  ticks += 3_600_000 * 1_000;
  expect((await site.graphql(fresh())).status).toBe(200);
});

test('a caller who has used up a budget gets a delayed refusal, and takes no place meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let paused = 0;
  const pause = () => {
    paused++;
    return promise;
  };
  await start({ planning: { address: SMALL }, front: { pause, overload: { inFlight: { initial: 2, min: 2, max: 2 } } } });
  await site.graphql(fresh());
  const refused: Promise<Response>[] = [];
  while (refused.length < 5) {
    refused.push(site.graphql(fresh()));
    await until(() => paused === refused.length);
  }
  expect((await site.graphql(fresh(), cookie)).status).toBe(200);
  resolve();
  expect(new Set((await Promise.all(refused)).map(({ status }) => status))).toEqual(new Set([429]));
});

test('a customer plans on the account’s budget, also when others at the same address have used theirs up', async () => {
  await start({ planning: { address: SMALL } });
  await site.graphql(fresh());
  expect((await site.graphql(fresh())).status).toBe(429);
  expect((await site.graphql(fresh(), cookie)).status).toBe(200);
  expect((await site.graphql(fresh(), bearer('key-a'))).status).toBe(200);
});

test('the sessions and keys of one account share its budget', async () => {
  await start({ planning: { account: SMALL } });
  expect((await site.graphql(fresh(), cookie)).status).toBe(200);
  const refused = await site.graphql(fresh(), bearer('key-a'));
  expect(refused.status).toBe(429);
  expect(refused.headers.get('ratelimit-limit')).toBe('120');
});

test('the planning queue is bounded, per caller and in all, and refusals have Retry-After', async () => {
  await start({ planning: { waitingPerCaller: 2 } });
  const answers = await Promise.all(Array.from({ length: 20 }, () => site.graphql(fresh())));
  const busy = answers.filter(({ status }) => status === 503);
  expect(busy.length).toBeGreaterThan(0);
  for (const answer of busy) expect(answer.headers.get('retry-after')).toBe('1');
  expect(await codeOf(busy[0] as Response)).toBe('overloaded');
  expect(answers.filter(({ status }) => status === 200).length).toBe(20 - busy.length);
});

test('a document that many send at once is planned once', async () => {
  await start({ planning: { waitingPerCaller: 1, waiting: 1 } });
  const document = fresh();
  const answers = await Promise.all(Array.from({ length: 30 }, () => site.graphql(document)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a customer’s document does not wait behind those of anonymous callers, nor one anonymous caller’s behind another’s', async () => {
  await start();
  const order: string[] = [];
  const ask = (who: string, viewer: Viewer) => site.gateway.prepareFor(viewer, fresh()).then(() => order.push(who));
  const stranger = (address: string): Viewer => ({ kind: 'anonymous', address, requestId: 'req_1' });
  const customer: Viewer = { kind: 'session', accountId: 'a', sessionId: 's1', staff: false, address: '198.51.100.1', requestId: 'req_2' };
  await Promise.all([
    ...Array.from({ length: 20 }, () => ask('first', stranger('198.51.100.1'))),
    ask('second', stranger('198.51.100.2')),
    ask('customer', customer),
  ]);
  // The first document was already being planned.
  expect(order.slice(0, 4)).toEqual(['first', 'customer', 'first', 'second']);
});

test('documents of anonymous callers do not evict those of customers from the cache', async () => {
  await start({ planning: { account: SMALL, address: { burst: 100_000, perSecond: 1 } } });
  const document = fresh();
  expect((await site.graphql(document, cookie)).status).toBe(200);
  // More characters than fit into all caches.
  const comment = `#${'x'.repeat(30_000)}\n`;
  for (let round = 0; round < 12; round++) expect((await site.graphql(`${comment}${fresh()}`)).status).toBe(200);
  // The account's budget is used up: only the cached document is answered.
  expect((await site.graphql(document, cookie)).status).toBe(200);
  expect((await site.graphql(fresh(), cookie)).status).toBe(429);
});

test('requests without a key count for their address before their body is read, and for the account of a session', async () => {
  await start({ requests: { address: { burst: 5, perSecond: 1 } } });
  const document = fresh();
  const bodies = ['{', JSON.stringify({ query: document }), JSON.stringify({ query: document }), '[]', JSON.stringify({ query: fresh() })];
  for (const body of bodies) await fetch(`${site.url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const refused = await site.graphql(document);
  expect([refused.status, refused.headers.get('retry-after'), await codeOf(refused)]).toEqual([429, '1', 'too_many_attempts']);
  expect((await site.graphql(document, bearer('key-a'))).status).toBe(200);
  ticks += 1_000;
  expect((await site.graphql(document)).status).toBe(200);

  await site.close();
  await start({ requests: { account: { burst: 2, perSecond: 1 } } });
  await site.graphql(document, cookie);
  await site.graphql(document, cookie);
  expect((await site.graphql(document, cookie)).status).toBe(429);
  expect((await site.graphql(document)).status).toBe(200);
});

test('a refused document has its error’s location, although it was checked in another thread', async () => {
  await start();
  const text = 'query Wrong {\n  viewerKind\n  nothing\n}';
  const { errors } = (await (await site.graphql(text)).json()) as { errors: { message: string; locations: object[] }[] };
  expect(errors[0]).toMatchObject({ message: expect.stringContaining('nothing'), locations: [{ line: 3, column: 3 }] });
});

test('introspection is answered once and cached, and counts as planning if it is not cached', async () => {
  await start();
  const text = '{ __schema { types { name fields { name type { name } } } } }';
  const [one, two] = [await (await site.graphql(text)).text(), await (await site.graphql(text)).text()];
  expect(one).toContain('"viewerKind"');
  expect(two).toBe(one);

  await site.close();
  await start({ planning: { address: { burst: 50, perSecond: 0.001 } } });
  // Each document has another name, so none is cached.
  let answered = 0;
  for (; answered < 3_000; answered++) if ((await site.graphql(`query I${answered} ${text}`)).status === 429) break;
  expect(answered).toBeLessThan(1_000);
});
