import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Site, bearer, startSite } from '../site.ts';

let site: Site;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const cookie = { cookie: 'egress_session=token-a' };
const post = (headers: Record<string, string>, body: BodyInit) => fetch(`${site.url}/graphql`, { method: 'POST', headers, body });
const codeOf = async (response: Response) =>
  ((await response.json()) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code;

describe('who asks', () => {
  test('an anonymous caller, a signed-in browser and a key each reach the graph as their own viewer', async () => {
    const kinds = [{}, cookie, bearer('key-a'), { ...cookie, ...bearer('key-a') }].map(
      async (headers) => ((await (await site.graphql('{ viewerKind }', headers)).json()) as { data: unknown }).data,
    );
    expect(await Promise.all(kinds)).toEqual(['anonymous', 'session', 'key', 'key'].map((viewerKind) => ({ viewerKind })));
  });

  test('an ended session is anonymous', async () => {
    expect(await (await site.graphql('{ viewerKind }', { cookie: 'egress_session=old' })).json()).toEqual({
      data: { viewerKind: 'anonymous' },
    });
  });

  test('a wrong key is 401 with a code, the challenge and the address’s rate headers', async () => {
    const response = await site.graphql('{ viewerKind }', bearer('key-unknown'));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
    expect(response.headers.get('ratelimit-limit')).toBe('120');
    expect(response.headers.get('ratelimit-remaining')).toBe('119');
    expect(await codeOf(response)).toBe('key_unknown');
  });

  test('a key may read, not change', async () => {
    const response = await site.graphql('mutation { planRename(id: "1", name: "x") { id } }', bearer('key-a'));
    expect(await codeOf(response)).toBe('forbidden');
    expect(site.world.plans.get('1')?.name).toBe('Plan 1');
    expect((await site.graphql('mutation { planRename(id: "1", name: "x") { id } }', cookie)).status).toBe(200);
    expect(site.world.plans.get('1')?.name).toBe('x');
  });

  test('a key with the scope for servers reaches the subgraph, which checks the scope again', async () => {
    const response = await site.graphql('mutation { planRename(id: "1", name: "z") { id } }', bearer('key-servers'));
    expect((await response.json()) as object).toMatchObject({ data: { planRename: { id: '1' } } });
  });

  test('every answer to a key has the three rate headers, and the 121st is 429', async () => {
    const answers = await Promise.all(
      Array.from({ length: 130 }, (_, index) => site.graphql(index % 2 ? '{ viewerKind }' : '{ nothing }', bearer('key-a'))),
    );
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-limit')).toBe('120');
      expect(headers.get('ratelimit-reset')).toMatch(/^(60|[1-5]?\d)$/);
    }
    expect(answers.filter(({ status }) => status !== 429)).toHaveLength(120);
    const late = await site.graphql('{ viewerKind }', bearer('key-a'));
    expect(late.status).toBe(429);
    expect(late.headers.get('retry-after')).toBe(late.headers.get('ratelimit-reset'));
    expect(await codeOf(late)).toBe('rate_limited');
  });

  test('answers to browsers have no rate headers, but a request id each', async () => {
    const [one, two] = await Promise.all([
      site.graphql('{ viewerKind }', cookie),
      site.graphql('{ viewerKind }', { ...cookie, 'x-request-id': 'mine' }),
    ]);
    expect(one?.headers.get('ratelimit-limit')).toBeNull();
    expect(one?.headers.get('x-request-id')).toMatch(/^req_/);
    expect(two?.headers.get('x-request-id')).toMatch(/^req_/);
    expect(one?.headers.get('x-request-id')).not.toBe(two?.headers.get('x-request-id'));
  });
});

describe('requests that another site’s page can make are refused', () => {
  const query = '{"query":"mutation { planRename(id: \\"1\\", name: \\"x\\") { id } }"}';
  const form = new FormData();
  form.set('operations', query);
  form.set('map', '{}');
  const attacks: [string, () => Promise<Response>, number][] = [
    [
      'a form',
      () =>
        post(
          { ...cookie, 'content-type': 'application/x-www-form-urlencoded' },
          `query=${encodeURIComponent('mutation { planRename(id: "1", name: "x") { id } }')}`,
        ),
      415,
    ],
    ['a multipart form', () => post(cookie, form), 415],
    ['text', () => post({ ...cookie, 'content-type': 'text/plain' }, query), 415],
    ['text that mentions JSON', () => post({ ...cookie, 'content-type': 'text/plain; application/json' }, query), 415],
    [
      'graphql text',
      () => post({ ...cookie, 'content-type': 'application/graphql' }, 'mutation { planRename(id: "1", name: "x") { id } }'),
      415,
    ],
    ['no type', () => post(cookie, new Blob([query])), 415],
    [
      'a GET',
      () =>
        fetch(`${site.url}/graphql?query=${encodeURIComponent('mutation { planRename(id: "1", name: "x") { id } }')}`, { headers: cookie }),
      405,
    ],
    ['a GET of a browser', () => fetch(`${site.url}/graphql?query={viewerKind}`, { headers: { ...cookie, accept: 'text/html' } }), 405],
    ['JSON from a foreign origin', () => post({ ...JSON_TYPE, ...cookie, origin: 'https://evil.example' }, query), 403],
    ['JSON from an origin that begins like ours', () => post({ ...JSON_TYPE, ...cookie, origin: `${site.url}.evil.example` }, query), 403],
    ['JSON from no nameable origin', () => post({ ...JSON_TYPE, ...cookie, origin: 'null' }, query), 403],
    ['JSON from another site', () => post({ ...JSON_TYPE, ...cookie, 'sec-fetch-site': 'cross-site' }, query), 403],
    ['a DELETE', () => fetch(`${site.url}/graphql`, { method: 'DELETE' }), 405],
  ];

  test.each(attacks)('%s', async (_, attack, status) => {
    const response = await attack();
    expect(response.status).toBe(status);
    expect(site.world.plans.get('1')?.name).toBe('Plan 1');
    expect(await codeOf(response)).toMatch(/^(content_type_refused|method_not_allowed|origin_forbidden)$/);
  });

  test('our own page passes', async () => {
    const response = await post({ ...JSON_TYPE, ...cookie, origin: site.url, 'sec-fetch-site': 'same-origin' }, query);
    expect(response.status).toBe(200);
    expect(site.world.plans.get('1')?.name).toBe('x');
  });

  test('a preflight of another site is not answered', async () => {
    const response = await fetch(`${site.url}/graphql`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.status).toBe(405);
  });
});

describe('what is asked', () => {
  test.each([
    ['not JSON', '{', 'parameter_invalid'],
    ['a batch', '[{"query":"{ viewerKind }"}]', 'parameter_invalid'],
    ['null', 'null', 'parameter_invalid'],
    ['no query', '{}', 'parameter_missing'],
    ['a query that is no text', '{"query":1}', 'parameter_invalid'],
    ['variables that are no object', '{"query":"{ viewerKind }","variables":[1]}', 'parameter_invalid'],
    ['an operation name that is no text', '{"query":"{ viewerKind }","operationName":{}}', 'parameter_invalid'],
    ['deep JSON', `{"query":"{ viewerKind }","variables":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'parameter_invalid'],
  ])('%s is 400', async (_, body, code) => {
    const response = await post(JSON_TYPE, body);
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe(code);
  });

  test('a body over 256 KiB is 413, announced or not', async () => {
    const body = JSON.stringify({ query: '{ viewerKind }', variables: { long: 'x'.repeat(262_144) } });
    const announced = await post(JSON_TYPE, body);
    expect(announced.status).toBe(413);
    const streamed = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${site.url}/graphql`, { method: 'POST', headers: JSON_TYPE }, (response) =>
        resolve(response.resume().statusCode),
      );
      sent.on('error', reject);
      sent.write(body.slice(0, 100_000));
      sent.write(body.slice(100_000));
    });
    expect(streamed).toBe(413);
  });

  test('a refused operation is 200 in the older media type and 400 in the newer, with places', async () => {
    const older = await site.graphql('{ nothing }');
    const newer = await site.graphql('{ nothing }', { accept: 'application/graphql-response+json, application/json' });
    expect([older.status, newer.status]).toEqual([200, 400]);
    expect(newer.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect(await newer.json()).toMatchObject({
      errors: [
        {
          message: expect.stringContaining('nothing'),
          locations: [{ line: 1, column: 3 }],
          extensions: { code: 'query_refused', requestId: expect.stringMatching(/^req_/) },
        },
      ],
    });
  });

  test('an operation with errors and data is 200 in both', async () => {
    const response = await site.graphql('{ plan(id: "1") { broken } }', { accept: 'application/graphql-response+json' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      data: { plan: { broken: null } },
      errors: [{ path: ['plan', 'broken'], extensions: { code: 'internal' } }],
    });
  });

  test('a subscription is answered over HTTP with events alone', async () => {
    for (const accept of ['application/json', 'multipart/mixed']) {
      expect(await (await site.graphql('subscription { planChanged { id } }', { accept })).text()).toContain('query_refused');
    }
  });

  test('a client that takes no JSON gets another form of the answer or 406', async () => {
    expect(await (await site.graphql('{ viewerKind }', { accept: 'text/event-stream' })).text()).toContain('"viewerKind":"anonymous"');
    expect((await site.graphql('{ viewerKind }', { accept: 'image/png' })).status).toBe(406);
  });
});

describe('GraphiQL', () => {
  test('is served from this host only, with a policy that runs only its own files', async () => {
    const response = await fetch(`${site.url}/graphql`, { headers: { accept: 'text/html' } });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('GraphiQL');
    expect(html).not.toMatch(/<(script|link)[^>]+(src|href)=["']?(https?:)?\/\//);
    expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self' blob:;.*frame-ancestors 'none'/);
  });

  test('is not for programs', async () => {
    expect((await fetch(`${site.url}/graphql`)).status).toBe(405);
  });
});
