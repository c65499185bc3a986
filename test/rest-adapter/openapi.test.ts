import { type GraphQLEnumType, parse, buildSchema, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { isErrorCode } from '#platform/errors.ts';
import { apiSdl } from '../../schema/contracts.ts';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { CUSTOMER_EVENTS } from '../../schema/customer-events.ts';
import { codesOf } from '../../rest-adapter/openapi.ts';
import { CASES } from './cases.ts';
import { type MemoryWorld, startMemoryWorld } from './memory-world.ts';
import type { Loose } from './world.ts';

let world: MemoryWorld;
let document: Loose;

beforeAll(async () => {
  world = await startMemoryWorld();
  document = await (await fetch(`${world.url}/openapi.json`)).json();
});
afterAll(() => world.close());

test.each(ENDPOINTS.map(({ tool, operation }) => ({ tool, operation })))(
  'the operation of $tool is valid against the published schema',
  ({ operation }) => {
    expect(validate(buildSchema(apiSdl()), parse(operation))).toEqual([]);
  },
);

test('the document has the six paths of the specification, all GET, and those beyond it', () => {
  expect(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item as object)])).toEqual([
    ['/v1/residential', ['get']],
    ['/v1/residential/{product_id}/proxies', ['get']],
    ['/v1/residential/{product_id}/usage', ['get']],
    ['/v1/residential/{product_id}/statistics', ['get']],
    ['/v1/static/{productType}', ['get']],
    ['/v1/subscriptions', ['get']],
    ['/v1/residential/{product_id}/locations', ['get']],
    ['/v1/events', ['get']],
    ['/v1/residential/{product_id}/usage/breakdown', ['get']],
    ['/v1/residential-batches/{batch_id}', ['get']],
    ['/v1/residential/lines/check', ['post']],
    ['/v1/residential/lines/test', ['post']],
    ['/v1/residential/{product_id}/sessions/{session}/renew', ['post']],
    ['/v1/residential/{product_id}/users', ['get', 'post']],
    ['/v1/residential-users/{user_id}', ['get', 'patch', 'delete']],
    ['/v1/residential-users/{user_id}/reset', ['post']],
    ['/v1/residential-users/{user_id}/renew', ['post']],
    ['/v1/residential/{product_id}/networks', ['get', 'post']],
    ['/v1/residential-networks/{network_id}', ['delete']],
    ['/v1/residential/{product_id}/log-in', ['patch']],
    ['/v1/static/lines/test', ['post']],
    ['/v1/static/{plan_id}/networks', ['get', 'post']],
    ['/v1/static-networks/{network_id}', ['delete']],
    ['/v1/static/{plan_id}/log-in', ['patch']],
    ['/v1/residential/{product_id}/requests', ['get']],
    ['/v1/residential/{product_id}/request-log', ['patch', 'delete']],
    ['/v1/residential/{product_id}/top-ups', ['get', 'post']],
    ['/v1/residential/{product_id}/top-ups/price', ['get']],
    ['/v1/residential/{product_id}/auto-top-up', ['patch', 'delete']],
    ['/v1/residential/{product_id}/alerts', ['patch']],
    ['/v1/offers/vps/locations', ['get']],
    ['/v1/offers/residential', ['post']],
    ['/v1/offers/static', ['post']],
    ['/v1/offers/vps', ['post']],
    ['/v1/offers/dedicated', ['post']],
    ['/v1/orders', ['post']],
    ['/v1/orders/{order_id}', ['get']],
    ['/v1/order-allowance', ['get']],
    ['/v1/webhooks', ['get', 'post']],
    ['/v1/webhooks/{webhook_id}/deliveries', ['get']],
    ['/v1/webhooks/{webhook_id}', ['get', 'patch', 'delete']],
    ['/v1/webhooks/{webhook_id}/secret', ['post']],
    ['/v1/webhooks/{webhook_id}/test', ['post']],
    ['/v1/webhooks/{webhook_id}/replay', ['post']],
    ['/v1/webhooks/{webhook_id}/events/{event_id}/resend', ['post']],
    ['/v1/servers', ['get']],
    ['/v1/servers/{server_id}', ['get', 'patch']],
    ['/v1/servers/{server_id}/operations', ['get']],
    ['/v1/servers/{server_id}/operations/{operation_id}', ['get']],
    ['/v1/servers/{server_id}/backups', ['get']],
    ['/v1/servers/{server_id}/reverse-names', ['post']],
    ['/v1/servers/{server_id}/cancel', ['post']],
    ['/v1/servers/{server_id}/keep', ['post']],
    ['/v1/servers/{server_id}/actions/start', ['post']],
    ['/v1/servers/{server_id}/actions/reboot', ['post']],
    ['/v1/servers/{server_id}/actions/stop', ['post']],
    ['/v1/servers/{server_id}/actions/force-stop', ['post']],
    ['/v1/servers/{server_id}/actions/reset-password', ['post']],
    ['/v1/servers/{server_id}/actions/rescue', ['post']],
    ['/v1/servers/{server_id}/actions/leave-rescue', ['post']],
    ['/v1/servers/{server_id}/actions/take-backup', ['post']],
    ['/v1/servers/{server_id}/actions/reinstall', ['post']],
    ['/v1/servers/{server_id}/actions/restore', ['post']],
  ]);
});

/** Redocly, no-ambiguous-paths. */
test('no address fits two paths', () => {
  const paths = Object.keys(document.paths).map((path) => path.split('/'));
  const fits = (one: string[], other: string[]) =>
    one.length === other.length && one.every((part, at) => part === other[at] || part.startsWith('{') || other[at]?.startsWith('{'));
  const ambiguous = paths.flatMap((one, at) => paths.slice(at + 1).flatMap((other) => (fits(one, other) ? [[one, other]] : [])));
  expect(ambiguous.map((pair) => pair.map((path) => path.join('/')))).toEqual([]);
});

/** Redocly, recommended-strict, and Spectral, spectral:oas. */
test('it says whom to ask and by which licence, and each operation what it does', () => {
  expect(document.info).toMatchObject({ contact: { url: expect.any(String) }, license: { url: expect.any(String) } });
  const tags = document.tags.map(({ name, description }: Loose) => [name, description !== '']);
  const operations = Object.values<Loose>(document.paths).flatMap((item) => Object.values<Loose>(item));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { operationId, summary, description, tags: own } of operations) {
    expect(
      [summary, description].map((text) => typeof text === 'string' && text !== ''),
      operationId,
    ).toEqual([true, true]);
    for (const tag of own) expect(tags, operationId).toContainEqual([tag, true]);
    const { scope } = ENDPOINTS.find(({ tool }) => tool === operationId) ?? {};
    expect(description, operationId).toContain(`Scope of the key: \`${scope}\`.`);
  }
});

test('each path is filed under what it is about', () => {
  const paths = Object.entries<Loose>(document.paths);
  const isOf = (tag: string, item: Loose) => Object.values<Loose>(item).some(({ tags }) => tags.includes(tag));
  const filed = (tag: string) => [
    ...new Set(paths.filter(([, item]) => isOf(tag, item)).map(([path]) => path.split('/').slice(0, 3).join('/'))),
  ];
  expect(filed('Webhooks')).toEqual(['/v1/events', '/v1/webhooks']);
  expect(filed('Orders')).toEqual(['/v1/offers', '/v1/orders', '/v1/order-allowance']);
  expect(filed('Servers')).toEqual(['/v1/servers']);
  expect(filed('Static')).toEqual(['/v1/static', '/v1/subscriptions', '/v1/static-networks']);
});

test('its webhooks are all events for customers, with the headers of the specification and a valid example', () => {
  const types = Object.keys(CUSTOMER_EVENTS);
  expect(Object.keys(document.webhooks)).toEqual(types);
  expect(new Set(Object.values<Loose>(document.webhooks).map(({ post }) => post.operationId)).size).toBe(types.length);
  for (const [type, { post }] of Object.entries<Loose>(document.webhooks)) {
    expect(post.parameters.map(({ name }: Loose) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    const { schema, example } = post.requestBody.content['application/json'];
    expect(schema.properties.type).toEqual({ const: type });
    expect(Object.keys(example.data)).toEqual(expect.arrayContaining(schema.properties.data.required));
  }
});

test('its parameters are those of the specification, with their defaults and ranges, and additional ones', () => {
  const rows = (path: string) =>
    document.paths[path].get.parameters.map(({ name, in: place, required, schema }: Loose) => [
      name,
      place,
      required,
      schema.type ?? schema.anyOf.map((one: Loose) => one.type),
      schema.default,
    ]);
  expect(rows('/v1/residential/{product_id}/proxies')).toEqual([
    ['product_id', 'path', true, 'string', undefined],
    ['pool', 'query', true, 'string', undefined],
    ['quantity', 'query', true, 'integer', undefined],
    ['sticky', 'query', true, 'boolean', undefined],
    ['type', 'query', false, 'string', 'http'],
    ['time', 'query', false, ['string', 'integer'], '60'],
    ['state', 'query', false, 'string', undefined],
    ['city', 'query', false, 'string', undefined],
    ['exclude', 'query', false, 'string', undefined],
  ]);
  expect(rows('/v1/static/{productType}')).toEqual([
    ['productType', 'path', true, 'string', undefined],
    ['page', 'query', false, 'integer', 1],
    ['limit', 'query', false, 'integer', 25],
    ['productId', 'query', false, 'string', undefined],
    ['protocol', 'query', false, 'string', 'http'],
  ]);
});

test('every reference leads somewhere', () => {
  const broken: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    if (
      typeof $ref === 'string' &&
      $ref
        .slice(2)
        .split('/')
        .reduce<Loose>((at, part) => at?.[part], document) === undefined
    )
      broken.push($ref);
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(document);
  expect(broken).toEqual([]);
  expect(JSON.stringify(document)).toContain('#/components/headers/RateLimit-Limit');
});

test('every path parameter of a path is described, and every path is secured by the key', () => {
  for (const [path, item] of Object.entries<Loose>(document.paths))
    for (const { parameters, operationId } of Object.values<Loose>(item)) {
      const described = parameters.filter((parameter: Loose) => parameter.in === 'path').map((parameter: Loose) => `{${parameter.name}}`);
      expect(path.match(/\{\w+\}/g) ?? []).toEqual(described);
      expect(operationId).toMatch(/^[a-z_]+$/);
    }
  expect(document.security).toEqual([{ apiKey: [] }]);
  expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
});

test('every response carries the rate headers, and examples of the envelope with codes of the catalogue', () => {
  for (const { responses } of Object.values<Loose>(document.paths).flatMap((item) => Object.values<Loose>(item))) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '429', '500']));
    expect(Object.keys(responses).filter((status) => status.startsWith('2'))).toHaveLength(1);
    for (const [status, response] of Object.entries<Loose>(responses)) {
      expect(Object.keys(response.headers)).toEqual(expect.arrayContaining(['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']));
      if (status.startsWith('2')) continue;
      for (const [code, { value }] of Object.entries<Loose>(response.content['application/json'].examples)) {
        expect(isErrorCode(code)).toBe(true);
        expect(value).toMatchObject({ statusCode: Number(status), success: false, meta: { code } });
      }
    }
  }
});

test('what begins an operation is answered with 202, takes an Idempotency-Key, and may conflict with it', () => {
  const beginning = Object.entries<Loose>(document.paths).filter(([path]) => path.includes('/actions/'));
  expect(beginning.length).toBeGreaterThan(9);
  for (const [path, { post }] of beginning) {
    expect(Object.keys(post.responses), path).toEqual(expect.arrayContaining(['202', '404', '409', '422', '503']));
    expect(post.responses['202'].content['application/json'].example, path).toMatchObject({ statusCode: 202, success: true });
    const [key] = post.parameters.filter((parameter: Loose) => parameter.in === 'header');
    expect(key, path).toMatchObject({ name: 'Idempotency-Key', required: false, schema: { minLength: 8, maxLength: 255 } });
  }
  const { required, properties } =
    document.paths['/v1/servers/{server_id}/actions/reinstall'].post.requestBody.content['application/json'].schema;
  expect([required, Object.keys(properties)]).toEqual([['os'], ['os', 'password', 'ssh_keys']]);
  const graph = buildSchema(apiSdl()).getType('OperatingSystem') as GraphQLEnumType;
  expect(properties.os.enum.toSorted()).toEqual(
    graph
      .getValues()
      .map(({ name }) => name.toLowerCase())
      .toSorted(),
  );
});

test('every example matches its schema', () => {
  for (const { input, output, example } of ENDPOINTS) {
    expect((input as z.ZodObject).safeParse(example.input).error).toBeUndefined();
    expect(z.strictObject(output.shape).safeParse(example.data).error).toBeUndefined();
  }
});

test('every code of the test tables is documented at its path', () => {
  for (const { path, status, code } of CASES) {
    if (code === undefined || code === 'route_not_found') continue;
    const at = path({ premium: 'p', mobile: 'p', expired: 'p', foreign: 'p' }).split('?')[0] ?? '';
    const endpoint = ENDPOINTS.find((one) => new RegExp(`^${one.path.replace(/\{\w+\}/, '[^/]+')}$`).test(at));
    expect(endpoint && codesOf(endpoint), `${at} answers ${status} ${code}`).toContain(code);
  }
});

test('a browser of any origin may read the document, and can cache it', async () => {
  const response = await fetch(`${world.url}/openapi.json`);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const again = await fetch(`${world.url}/openapi.json`, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
  expect((await fetch(`${world.url}/openapi.json`, { method: 'POST' })).status).toBe(405);
});
