import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics } from '#platform/metrics.ts';
import { PROGRAM_VERSION } from '#platform/program-version.ts';
import { lookForRelease } from '#platform/release-check.ts';

let server: Server;
let url: string;
let answer: { status: number; body: unknown };
beforeAll(async () => {
  server = createServer((_, response) => void response.writeHead(answer.status).end(JSON.stringify(answer.body)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/release.json`;
});
afterAll(() => void server.close());

const notes = 'https://egress.example/0.10.0';
test.each([
  ['0.9.9', { version: '0.9.9' }, true, '0.9.9 is the newest'],
  ['0.10.0', { version: '0.9.9' }, true, '0.10.0 is the newest'],
  ['0.9.9', { version: '0.10.0', notes }, true, `0.9.9, and 0.10.0 is out: ${notes}`],
  ['0.9.9', { version: '1.0.0', security: true }, false, '0.9.9, and 1.0.0 is out, which closes a hole'],
])('%s beside %j', async (version, body, ok, words) => {
  answer = { status: 200, body };
  expect(await lookForRelease(url, version)).toEqual({ what: 'release', ok, words });
});

test.each([
  [{ status: 503, body: {} }, 'answers 503'],
  [{ status: 200, body: { version: 'latest' } }, 'version'],
])('what cannot be read is said: %j', async (given, words) => {
  answer = given;
  await expect(lookForRelease(url, '0.1.0')).rejects.toThrow(words);
});

test('every process says its version with its figures', async () => {
  expect(await createMetrics().registry.metrics()).toContain(`egress_build_info{version="${PROGRAM_VERSION}"} 1`);
});
