// What third-party clients expect of HTTP: methods, media types, ETags, CORS, and refusals of malformed requests.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MemoryWorld, startMemoryWorld } from './memory-world.ts';
import { type Loose, call } from './world.ts';

let world: MemoryWorld;
let key: string;
beforeAll(async () => {
  world = await startMemoryWorld();
  key = await world.key();
});
afterAll(() => world.close());

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${world.url}${path}`, { method, headers: { authorization: `Bearer ${key}`, ...headers } });
const LINE = 'sticky=true&pool=US&quantity=1';

test('204 for a preflight of any origin, without a key, and not counted', async () => {
  const { status, headers } = await fetch(`${world.url}/v1/residential`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  });
  expect(status).toBe(204);
  expect(Object.fromEntries(headers)).toMatchObject({
    allow: 'GET, HEAD, OPTIONS',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'Authorization, Accept, If-None-Match',
    'ratelimit-remaining': '120',
  });
});

describe('media types', () => {
  test.each(['application/xml', 'text/html', 'application/json;q=0', 'image/*'])(
    '406 for %s, before anything is generated',
    async (accept) => {
      const before = world.memory.batches.length;
      const answer = await call(world, `/v1/residential/plan_a/proxies?${LINE}`, key, { headers: { accept } });
      expect([answer.status, answer.body.meta?.code, answer.body.meta?.allowed]).toEqual([406, 'not_acceptable', ['application/json']]);
      expect(world.memory.batches.length).toBe(before);
    },
  );

  test.each(['*/*', 'application/*', 'application/json', 'text/html, application/json;q=0.1', 'APPLICATION/JSON', ''])(
    '200 for %s',
    async (accept) => expect((await ask('/v1/residential', { accept })).status).toBe(200),
  );

  test('a client that accepts problem+json gets errors by RFC 9457, and other answers unchanged', async () => {
    const accept = 'application/problem+json, application/json';
    const refused = await ask('/v1/residential/nothing/usage', { accept });
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await refused.json()).toEqual({
      type: '/docs/errors/plan_not_found',
      title: 'The account has no such plan.',
      status: 404,
      detail: 'The account has no such plan.',
      instance: `urn:egress:request:${refused.headers.get('x-request-id')}`,
      code: 'plan_not_found',
      request_id: refused.headers.get('x-request-id'),
      field: 'product_id',
    });
    expect(await (await ask('/v1/residential', { accept })).json()).toMatchObject({ statusCode: 200, success: true });
  });
});

describe('tags', () => {
  test('304 without a body for weak tags, lists and *, with the headers of 200', async () => {
    const first = await ask('/v1/residential');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/".{27}"$/);
    for (const given of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await ask('/v1/residential', { 'if-none-match': given });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
      expect(again.headers.get('ratelimit-limit')).toBe('120');
    }
    expect((await ask('/v1/residential', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('a generation has none, as each differs', async () => {
    expect((await ask(`/v1/residential/plan_a/proxies?${LINE}`)).headers.get('etag')).toBeNull();
  });
});

describe('refusals name what was mistyped', () => {
  test.each([
    ['stat=Texas', 'stat (did you mean state?)'],
    ['STATE=Texas', 'STATE (did you mean state?)'],
    ['citty=Houston', 'citty (did you mean city?)'],
    ['x=1', 'x'],
    ['a%0d%0ab=1', 'a??b'],
  ])('an unknown parameter stays without effect: %s', async (query, said) => {
    const answer = await call(world, `/v1/residential/plan_a/proxies?${LINE}&${query}`, key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('unknown-parameters')).toBe(said);
    expect(answer.body.message).toContain(`Not known, and without effect: ${said}.`);
  });

  test.each(['True', 'TRUE', 'False'])('400 for sticky=%s names what was meant', async (sticky) => {
    const { status, body } = await call(world, `/v1/residential/plan_a/proxies?sticky=${sticky}&pool=US&quantity=1`, key);
    expect([status, body.message]).toEqual([400, `sticky must be ${sticky.toLowerCase()}, in lower case, not ${sticky}.`]);
  });

  test('all faults of a request are returned together', async () => {
    const { body } = await call(world, '/v1/residential/plan_a/proxies?sticky=maybe&quantity=0', key);
    expect((body.meta as Loose).faults.map(({ code, field }: Loose) => [code, field])).toEqual([
      ['parameter_missing', 'pool'],
      ['quantity_invalid', 'quantity'],
      ['parameter_invalid', 'sticky'],
    ]);
  });

  test.each([
    ['/v1/residential/', '/v1/residential'],
    ['/v1/residental', '/v1/residential'],
    ['/v1/subscription', '/v1/subscriptions'],
  ])('404 at %s says where to', async (path, meant) => {
    const answer = await call(world, path, key);
    expect([answer.status, answer.body.meta?.allowed]).toEqual([404, [meant]]);
    expect(answer.headers.get('link')).toContain('rel="service-desc"');
  });

  test('404 for an unknown action of a server lists those there are', async () => {
    const { status, body } = await call(world, '/v1/servers/vps_a/actions/moonwalk', key, { method: 'POST' });
    expect([status, body.meta?.code]).toEqual([404, 'route_not_found']);
    expect(body.meta?.allowed).toContain('/v1/servers/vps_a/actions/reboot');
    expect(body.meta?.allowed).not.toContain('/v1/servers/vps_a/actions/usage');
  });

  test('a product without plans is named in the message', async () => {
    const { status, body } = await call(world, '/v1/static/isp?productId=nothing', key);
    expect([status, body.message]).toEqual([200, 'Static plans listed. The account has no plan of a product nothing.']);
  });
});

/** Sends raw bytes, as no client library sends malformed requests. */
const raw = (bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(world.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });

describe('malformed requests', () => {
  test.each([
    ['text that is no URL', `GET /v1/residential/plan_a/proxies?city=München HTTP/1.1\r\nHost: a\r\n\r\n`, 400, 'parameter_invalid'],
    ['headers of 20 kB', `GET /v1/residential HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['two lengths', 'GET /v1/residential HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400, 'parameter_invalid'],
  ])('%s is answered with the envelope', async (_, bytes, status, code) => {
    const answer = await raw(bytes);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/\r\nRateLimit-Limit: 120\r\n/);
    expect(JSON.parse(body)).toMatchObject({ statusCode: status, success: false, meta: { code } });
    expect(head).toContain(`X-Request-Id: ${(JSON.parse(body) as Loose).meta.request_id}`);
  });

  test('a request target in absolute form is accepted', async () => {
    const answer = await raw('GET http://evil.example/v1/residential HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });
});

const operationsOf = (document: Loose): Loose[] => Object.values<Loose>(document.paths).flatMap((item) => Object.values<Loose>(item));

describe('OpenAPI', () => {
  let document: Loose;
  beforeAll(async () => {
    document = await (await fetch(`${world.url}/openapi.json`)).json();
  });

  test('names every type from which clients are generated', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(['ResidentialPlan', 'StaticPlan', 'Subscription', 'ErrorCode', 'Error', 'Problem']));
    for (const { responses } of operationsOf(document))
      expect((responses['200'] ?? responses['202']).content['application/json'].schema.properties.data.$ref).toMatch(
        /^#\/components\/schemas\/\w+$/,
      );
  });

  test('lists the codes as an enum, and has every status that occurs', () => {
    expect(document.components.schemas.ErrorCode.enum).toEqual(expect.arrayContaining(['plan_expired', 'forbidden', 'overloaded']));
    for (const { responses } of operationsOf(document))
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '405', '406', '429', '500', '503']));
  });

  test('has no limits specific to JavaScript, and has contact, licence and descriptions of tags', () => {
    expect(JSON.stringify(document)).not.toContain('9007199254740991');
    expect(document.info).toMatchObject({ contact: { url: 'https://proxies.example' }, license: { name: 'Proprietary' } });
    for (const tag of document.tags) expect(tag.description).toBeTruthy();
  });
});
