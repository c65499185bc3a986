import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDocument } from '@urql/core';
import { parse, print } from 'graphql';
import { createRequireKnown } from '../../../gateway/graph/known-documents.ts';
import { COST_LIMIT, type RateLimiter, createRateLimiter } from '../../../gateway/http/rate-limit.ts';
import { silentLog } from '#platform/log.ts';
import { anonymous } from '../world.ts';
import { type Site, bearer, startSite } from '../site.ts';
import { operationsOf } from '../../kit/dashboard-operations.ts';

const KNOWN = print(parse('query Known { viewerKind }'));
const cookie = { cookie: 'egress_session=token-a' };

let site: Site;
beforeAll(async () => {
  site = await startSite({ requireKnown: createRequireKnown([KNOWN]) });
});
afterAll(() => site.close());

interface Body {
  data?: unknown;
  errors?: { message: string; extensions: { code: string } }[];
  extensions?: { cost?: { requested: number; limit: number; budget: { limit: number; remaining: number } } };
}
const bodyOf = async (response: Response) => (await response.json()) as Body;

describe('without a key', () => {
  test('the dashboard’s documents are answered, with any white space', async () => {
    for (const headers of [{}, cookie])
      for (const text of [KNOWN, '  query   Known\n{ # said\n viewerKind }'])
        expect((await bodyOf(await site.graphql(text, headers))).data).toBeDefined();
  });

  test.each([
    '{ viewerKind }',
    'query Known { viewerKind viewerKind }',
    '{ __schema { types { name } } }',
    '{ viewerKin }',
    '{',
    ' ',
    '{ a '.repeat(8_000),
  ])('any other document is refused before it is planned, without a word on the schema: %s', async (text) => {
    for (const headers of [{}, cookie]) {
      const { errors, data } = await bodyOf(await site.graphql(text, headers));
      expect(data).toBeUndefined();
      expect(errors?.map(({ extensions: { code } }) => code)).toEqual(['document_not_known']);
      expect(errors?.[0]?.message).not.toMatch(/Did you mean/);
    }
  });

  test('a key may send any operation, also introspection', async () => {
    expect((await bodyOf(await site.graphql('{ __schema { queryType { name } } }', bearer('key-a')))).data).toEqual({
      __schema: { queryType: { name: 'Query' } },
    });
  });
});

describe('the dashboard’s own documents', () => {
  test('are known as its client sends them, whole and with the names of types', async () => {
    const documents = JSON.parse(readFileSync('web/build/.drawn/documents.json', 'utf8')) as string[];
    const requireKnown = createRequireKnown(documents);
    const { LogIn: _, ...ops } = await operationsOf('residential-plan');
    const sent = Object.values(ops).filter((value): value is ReturnType<typeof parse> =>
      Boolean((value as { definitions?: { kind: string }[] })?.definitions?.some(({ kind }) => kind === 'OperationDefinition')),
    );
    expect(sent.length).toBeGreaterThan(0);
    for (const document of sent) {
      requireKnown(anonymous, print(document));
      requireKnown(anonymous, print(formatDocument(document)));
    }
    expect(() => requireKnown(anonymous, '{ me { id } }')).toThrow('dashboard');
  });
});

describe('what a key’s operations cost', () => {
  let counted: Site;
  let limiter: RateLimiter;
  beforeAll(async () => {
    limiter = await createRateLimiter({ log: silentLog });
    counted = await startSite({ limiter });
  });
  afterAll(() => counted.close());

  test('is in each answer, and depends on the variables', async () => {
    const query = 'query ($n: Int) { plans(first: $n) { id siblings(first: $n) { id } } }';
    const costs = [];
    for (const n of [2, 30]) costs.push((await bodyOf(await counted.graphql(query, bearer('key-a'), { n }))).extensions?.cost);
    expect(costs.map((cost) => cost?.requested)).toEqual([6, 930]);
    expect(costs[1]?.budget).toMatchObject({ limit: COST_LIMIT, remaining: COST_LIMIT - 936 });
  });

  test('is taken from one budget a minute, and an operation beyond it does not run', async () => {
    await limiter.charge('key:k1', COST_LIMIT);
    const response = await counted.graphql('{ plans(first: 5) { id } }', bearer('key-a'));
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await bodyOf(response)).errors?.[0]?.extensions.code).toBe('rate_limited');
    expect((await bodyOf(await counted.graphql('{ plans(first: 5) { id } }', bearer('key-servers')))).data).toBeDefined();
  });

  test('both limits are in the headers of each answer to a key, with what is left of them', async () => {
    const { headers } = await counted.graphql('{ viewerKind plans(first: 7) { id } }', bearer('key-servers'));
    const left = /^"requests";r=(\d+);t=(\d+), "cost";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '');
    expect([left?.[1], left?.[2]]).toEqual([headers.get('ratelimit-remaining'), headers.get('ratelimit-reset')]);
    // The five of the test before, and these seven.
    expect(left?.[3]).toBe(String(COST_LIMIT - 12));
    expect(headers.get('ratelimit-policy')).toBe(`"requests";q=120;w=60, "cost";q=${COST_LIMIT};w=60`);
  });
});

/** Returns the raw bytes of an answer, which fetch would decompress. */
const raw = (url: string, headers: Record<string, string>, method = 'GET', body?: string) =>
  new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }));
    });
    sent.on('error', reject);
    sent.end(body);
  });

describe('a long answer is sent in a content coding that the client accepts', () => {
  const body = JSON.stringify({ query: '{ __schema { types { name description fields { name } } } }' });
  const ask = (coding?: string) =>
    raw(
      `${site.url}/graphql`,
      { 'content-type': 'application/json', ...bearer('key-a'), ...(coding !== undefined && { 'accept-encoding': coding }) },
      'POST',
      body,
    );
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync } as const;

  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'zstd'],
    ['br;q=0, *', 'zstd'],
  ])('%s: %s', async (accepted, coding) => {
    const [plain, coded] = [await ask(), await ask(accepted)];
    expect(coded.headers).toMatchObject({
      'content-encoding': coding,
      vary: 'Accept-Encoding',
      'content-length': String(coded.bytes.length),
    });
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(decoders[coding as keyof typeof decoders](coded.bytes)).toEqual(plain.bytes);
  });

  test.each([[undefined], [''], ['identity'], ['gzip;q=0'], ['deflate'], ['gzip;q=0.2, identity;q=1'], [';;,,q=;']])(
    'not where the client says %s',
    async (accepted) => {
      const { headers } = await ask(accepted);
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['vary']).toBe('Accept-Encoding');
    },
  );

  test('a short answer is sent without a content coding', async () => {
    const { headers } = await raw(
      `${site.url}/graphql`,
      { 'content-type': 'application/json', 'accept-encoding': 'gzip', ...bearer('key-a') },
      'POST',
      '{"query":"{ viewerKind }"}',
    );
    expect(headers['content-encoding']).toBeUndefined();
  });
});

describe('GraphiQL', () => {
  const page = (headers: Record<string, string> = {}, method = 'GET') =>
    raw(`${site.url}/graphql`, { accept: 'text/html', ...headers }, method);

  test('is a small page, and files that a browser keeps for good', async () => {
    const { bytes, headers } = await page();
    expect(bytes.length).toBeLessThan(20_000);
    expect(headers['cache-control']).toBe('no-cache');
    const files = [...bytes.toString().matchAll(/(?:src|href)="(\/graphql\/files\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(files).toHaveLength(2);
    let sum = 0;
    for (const file of files) {
      const answer = await raw(`${site.url}${file}`, { 'accept-encoding': 'gzip' });
      expect(answer).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'public, max-age=31536000, immutable', 'content-encoding': 'gzip' },
      });
      sum += answer.bytes.length;
    }
    expect(sum).toBeLessThan(3_000_000);
  });

  test('is not sent again to a client that has it, and HEAD has no body', async () => {
    const { headers } = await page();
    for (const tag of [headers['etag'] as string, `W/${headers['etag'] as string}`, `"other", ${headers['etag'] as string}`, '*'])
      expect((await page({ 'if-none-match': tag })).status).toBe(304);
    expect((await page({ 'if-none-match': '"other"' })).status).toBe(200);
    expect(await page({}, 'HEAD')).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
  });

  test('answers 404 for an unknown file', async () => {
    expect((await raw(`${site.url}/graphql/files/none.js`, {})).status).toBe(404);
  });
});
