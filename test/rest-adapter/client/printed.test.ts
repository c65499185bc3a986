// The client is what is printed from the endpoint objects, and its methods make the requests that the OpenAPI document describes.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type EgressClient, createClient } from '../../../rest-adapter/client/index.ts';
import { PRINTED_FOLDERS, clientText } from '../../../rest-adapter/client-text.ts';
import { methodOf } from '../../../rest-adapter/endpoint.ts';
import { ENDPOINTS } from '../../../rest-adapter/endpoints/index.ts';
import { openApiDocument } from '../../../rest-adapter/openapi.ts';
import { restParameters } from '../../../rest-adapter/rest.ts';
import type { Loose } from '../world.ts';

const CLIENT = fileURLToPath(new URL('../../../rest-adapter/client/', import.meta.url));

test('what is committed is what `npm run client` prints', () => {
  const printed = clientText(ENDPOINTS);
  const committed = PRINTED_FOLDERS.flatMap((folder) => readdirSync(CLIENT + folder).map((name) => `${folder}/${name}`));
  expect(committed.toSorted()).toEqual(Object.keys(printed).toSorted());
  for (const [name, text] of Object.entries(printed)) {
    expect(readFileSync(CLIENT + name, 'utf8'), name).toBe(text);
    expect(Math.max(...text.split('\n').map(({ length }) => length)), name).toBeLessThanOrEqual(160);
  }
});

const camel = (tool: string) => tool.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The request that a method makes of an endpoint's example. */
async function requestOf(method: string, input: object) {
  const seen: { url: URL; init: RequestInit }[] = [];
  const client = createClient({
    url: 'https://egress.example/',
    key: 'k',
    fetch: async (url, init) => {
      seen.push({ url: new URL(String(url)), init: init ?? {} });
      return Response.json({ success: true, data: {} });
    },
  });
  await (client[method as keyof EgressClient] as (input: object) => Promise<unknown>)(input);
  return seen[0];
}

test.each(ENDPOINTS.map((endpoint) => ({ tool: endpoint.tool, endpoint })))(
  'the method of $tool makes the request of the document',
  async ({ tool, endpoint }) => {
    const document: Loose = openApiDocument([endpoint], { brand: 'Test', version: '1', publicUrl: 'https://egress.example' });
    const operation = document.paths[endpoint.path][methodOf(endpoint).toLowerCase()];
    const given = endpoint.example.input as Record<string, unknown>;
    const parameters = restParameters(endpoint);
    const input = Object.fromEntries(
      parameters.filter(({ in: place }) => place !== 'header').map(({ name, input: key }) => [name, given[key]]),
    );
    const request = await requestOf(camel(tool), input);
    expect(operation.operationId).toBe(tool);
    expect(request?.init.method).toBe(methodOf(endpoint));
    expect(request?.init.headers).toMatchObject({ authorization: 'Bearer k' });
    const takesKey = parameters.some(({ name, in: place }) => place === 'header' && name === 'Idempotency-Key');
    expect('idempotency-key' in (request?.init.headers ?? {})).toBe(takesKey);
    const inPath = operation.parameters.filter((parameter: Loose) => parameter.in === 'path');
    let path = endpoint.path as string;
    for (const { name } of inPath) path = path.replace(`{${name}}`, encodeURIComponent(String(input[name])));
    expect(request?.url.pathname).toBe(path);
    const inQuery = operation.parameters.filter((parameter: Loose) => parameter.in === 'query' && input[parameter.name] !== undefined);
    expect([...(request?.url.searchParams.keys() ?? [])].toSorted()).toEqual(inQuery.map(({ name }: Loose) => name).toSorted());
    const body = operation.requestBody?.content['application/json'].example;
    expect(request?.init.body === undefined ? {} : JSON.parse(request.init.body as string)).toEqual(body ?? {});
  },
);
