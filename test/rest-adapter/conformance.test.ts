// The check that every REST call of the tests goes through sees what it is there for.
import { expect, test } from 'vitest';
import { documentFaults } from './conformance.ts';
import type { Answer } from './world.ts';

const HEADERS = {
  'ratelimit-limit': '120',
  'ratelimit-remaining': '119',
  'ratelimit-reset': '60',
  'ratelimit-policy': '"requests";q=120;w=60',
  ratelimit: '"requests";r=119;t=60',
  'x-request-id': 'req_1',
};
const answer = (status: number, body: object, headers: Record<string, string> = HEADERS): Answer => ({
  status,
  headers: new Headers(headers),
  text: JSON.stringify(body),
  body,
});
const usage = (data: object) => answer(200, { statusCode: 200, data, message: 'Usage read.', success: true, error: null });
const PATH = '/v1/residential/plan_a/usage?x=1';
const GOOD = { total_data: 5, used_data: 1.5, username: 'user_a', product: 'plan_a' };

test('an answer as the document has it has no fault', () => {
  expect(documentFaults('GET', PATH, usage(GOOD))).toEqual([]);
});

test.each([
  ['a type', usage({ ...GOOD, total_data: '5' }), '/data/total_data must be number'],
  ['a member that is missing', usage({ total_data: 5, used_data: 1, product: 'plan_a' }), "/data must have required property 'username'"],
  ['a member that the document does not have', usage({ ...GOOD, secret: 1 }), '/data must NOT have additional properties'],
  ['a status', answer(418, {}), 'status 418 is not documented'],
  [
    'a code',
    answer(404, { statusCode: 404, success: false, message: 'x', meta: { code: 'server_not_found', request_id: 'req_1' } }),
    'code server_not_found is not documented for 404',
  ],
  ['a header', answer(200, usage(GOOD).body, { ...HEADERS, ratelimit: '' }), ''],
])('%s is seen', (_what, given, fault) => {
  if (fault !== '') return expect(documentFaults('GET', PATH, given)).toContain(fault);
  given.headers.delete('ratelimit');
  expect(documentFaults('GET', PATH, given)).toEqual(['the documented header RateLimit is missing']);
});

test('a fixed path is not taken for one with a parameter', () => {
  const body = { statusCode: 200, data: {}, message: 'x', success: true, error: null };
  expect(documentFaults('GET', '/v1/servers', answer(200, body))).toContain("/data must have required property 'servers'");
  expect(documentFaults('GET', '/v1/nothing', answer(200, body))).toEqual([]);
});
