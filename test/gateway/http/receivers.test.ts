import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askerOf, type SubgraphRequest } from '#platform/ask.ts';
import type { Viewer } from '#platform/identity.ts';
import { secretsOf } from '#platform/secrets.ts';
import { readConfig, vendorsOf } from '../../../configuration.ts';
import type { Source } from '../../../gateway/graph/sources/source.ts';
import { createWebhookRoute } from '../../../subgraphs/accounts/billing/inbox/doors/webhooks.ts';
import { signatureHeadersOf } from '../../../subgraphs/accounts/billing/payments/providers/payment-methods.ts';
import { createUsageReportsRoute } from '../../../subgraphs/residential/metering/doors/usage-reports.ts';
import { usageSourcesOf } from '../../../subgraphs/residential/metering/configuration.ts';
import { type Site, startSite } from '../site.ts';

let site: Site;
let reports: { request: SubgraphRequest; viewer: Viewer }[] = [];
const residential: Source = {
  async execute(request, viewer) {
    reports.push({ request, viewer });
    return { data: { receipt: { counted: 1, repeated: 0, unknown: 0, quarantined: 0, refused: [] } } };
  },
  subscribe: () => Promise.reject(new Error('not used')),
};

beforeEach(() => {
  reports = [];
  site.world.webhooks.length = 0;
});
beforeAll(async () => {
  site = await startSite({
    routes: ({ sources, clock }) => [
      createWebhookRoute({ ask: askerOf(sources['accounts'] as Source), signatureHeadersOf }),
      createUsageReportsRoute(
        { ask: askerOf(residential), clock },
        { network: { secret: 'shared secret' }, mobile: { secret: 'another secret', products: ['MOBILE'] } },
      ),
    ],
  });
});
afterAll(() => site.close());

const send = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${site.url}${path}`, { method: 'POST', headers, body });
const code = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code];

describe('a payment processor’s notice', () => {
  test('reaches accounts unchanged, with its signature', async () => {
    const body = '{"id":"evt_1",  "é":1}\n';
    const response = await send('/webhooks/card', body, { 'stripe-signature': 'good' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ stored: true });
    expect(site.world.webhooks).toEqual([{ source: 'card', body, signature: 'good' }]);
  });

  test('of the crypto processor has its own header for the signature', async () => {
    expect((await send('/webhooks/crypto', '{}', { 'btcpay-sig': 'good' })).status).toBe(200);
    expect(site.world.webhooks).toEqual([{ source: 'crypto', body: '{}', signature: 'good' }]);
    expect(await code(await send('/webhooks/crypto', '{}', { 'stripe-signature': 'good' }))).toEqual([400, 'signature_invalid']);
  });

  test('is refused without a valid signature, from an unknown source, or if it is too large', async () => {
    expect(await code(await send('/webhooks/card', '{}'))).toEqual([400, 'signature_invalid']);
    expect(await code(await send('/webhooks/card', '{}', { 'stripe-signature': 'bad' }))).toEqual([400, 'signature_invalid']);
    expect(await code(await send('/webhooks/other', '{}', { 'stripe-signature': 'good' }))).toEqual([404, 'route_not_found']);
    expect(await code(await send('/webhooks/constructor', '{}', { 'stripe-signature': 'good' }))).toEqual([404, 'route_not_found']);
    // Payment methods without webhooks.
    for (const source of ['bank', 'credit'])
      expect(await code(await send(`/webhooks/${source}`, '{}', { 'stripe-signature': 'good' }))).toEqual([404, 'route_not_found']);
    expect(await code(await send('/webhooks/card', 'x'.repeat(262_145), { 'stripe-signature': 'good' }))).toEqual([
      413,
      'request_too_large',
    ]);
    expect((await fetch(`${site.url}/webhooks/card`)).status).toBe(405);
    expect(site.world.webhooks).toEqual([]);
  });
});

describe('a usage report', () => {
  const line = { line: 0, username: 'u1', up_bytes: 10, down_bytes: 20, at: '2026-01-15T11:59:00.000Z', host: 'example.test' };
  const REPORT = JSON.stringify({ source: 'network', report_id: 'r1', lines: [line] });
  const now = () => Math.floor(site.clock.now().getTime() / 1_000);
  const sign = (body: string, secret = 'shared secret', at = now()) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

  test('reaches residential as a mutation of the platform itself', async () => {
    const response = await send('/usage-reports', REPORT, { 'egress-signature': sign(REPORT) });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ counted: 1, repeated: 0, unknown: 0, quarantined: 0, refused: [] });
    expect(reports[0]?.viewer).toMatchObject({ kind: 'system', name: 'usage-reports' });
    expect(reports[0]?.request.variables).toEqual({
      source: 'network',
      reportId: 'r1',
      lines: [{ line: 0, username: 'u1', upBytes: 10, downBytes: 20, at: '2026-01-15T11:59:00.000Z', host: 'example.test' }],
    });
  });

  test('is accepted with a signature up to 300 seconds old or early, and with either of two secrets', async () => {
    for (const at of [now() - 300, now() + 300])
      expect((await send('/usage-reports', REPORT, { 'egress-signature': sign(REPORT, undefined, at) })).status).toBe(200);
    const both = `${sign(REPORT, 'next secret')},${sign(REPORT).split(',')[1]}`;
    expect((await send('/usage-reports', REPORT, { 'egress-signature': both })).status).toBe(200);
  });

  const forged: [string, () => [string, Record<string, string>]][] = [
    ['no signature', () => [REPORT, {}]],
    ['an empty one', () => [REPORT, { 'egress-signature': '' }]],
    ['another secret', () => [REPORT, { 'egress-signature': sign(REPORT, 'other') }]],
    ['a changed body', () => [REPORT.replace('20', '21'), { 'egress-signature': sign(REPORT) }]],
    ['one too old', () => [REPORT, { 'egress-signature': sign(REPORT, undefined, now() - 301) }]],
    ['one from the future', () => [REPORT, { 'egress-signature': sign(REPORT, undefined, now() + 301) }]],
    ['no time', () => [REPORT, { 'egress-signature': sign(REPORT).replace(/t=\d+/, 't=') }]],
    ['a short hash', () => [REPORT, { 'egress-signature': sign(REPORT).slice(0, -2) }]],
    [
      'a source that is not known',
      () => {
        const body = REPORT.replace('"network"', '"constructor"');
        return [body, { 'egress-signature': sign(body) }];
      },
    ],
    ['no source', () => ['{}', { 'egress-signature': sign('{}') }]],
    ['no JSON', () => ['x', { 'egress-signature': sign('x') }]],
  ];
  test.each(forged)('with %s is 400 and counts nothing', async (_, make) => {
    const [body, headers] = make();
    expect(await code(await send('/usage-reports', body, headers))).toEqual([400, 'signature_invalid']);
    expect(reports).toEqual([]);
  });

  test.each([
    ['{"source":"network","lines":[]}', 'report_id'],
    ['{"source":"network","report_id":"r"}', 'lines'],
    ['{"source":"network","report_id":"r","lines":{}}', 'lines'],
  ])('of the wrong shape, %s, is 400', async (body) => {
    expect(await code(await send('/usage-reports', body, { 'egress-signature': sign(body) }))).toEqual([400, 'parameter_invalid']);
    expect(reports).toEqual([]);
  });

  test('with invalid lines is refused for those lines only; invalid characters are removed from texts', async () => {
    const body = JSON.stringify({
      source: 'network',
      report_id: 'r1',
      lines: [
        1,
        null,
        { ...line, line: 1, up_bytes: -1 },
        { ...line, line: 2, down_bytes: '1'.repeat(19) },
        { ...line, line: 3, at: 'yesterday' },
        { ...line, line: 4, username: undefined },
        { ...line, line: 5, host: 'a\0b\ud800', username: 'u1\0' },
        { ...line, line: 6.5 },
      ],
    });
    const response = await send('/usage-reports', body, { 'egress-signature': sign(body) });
    expect([response.status, await response.json()]).toMatchObject([
      200,
      {
        counted: 1,
        refused: [null, null, 1, 2, 3, 4, null].map((number) => ({ line: number, code: 'line_invalid' })),
      },
    ]);
    expect(reports[0]?.request.variables?.['lines']).toMatchObject([{ line: 5, username: 'u1', host: 'ab\ufffd' }]);
  });

  test('of 5,000 long lines is accepted whole; a larger one is 413', async () => {
    const full = { ...line, host: `${'h'.repeat(240)}.test`, client: 'c'.repeat(40), session: '12345678', username: `u${'x'.repeat(200)}` };
    const of = (count: number) =>
      JSON.stringify({
        source: 'network',
        report_id: 'r1',
        lines: Array.from({ length: count }, (_, number) => ({ ...full, line: number })),
      });
    const body = of(5_000);
    expect(body.length).toBeGreaterThan(2_000_000);
    expect((await send('/usage-reports', body, { 'egress-signature': sign(body) })).status).toBe(200);
    expect(reports[0]?.request.variables?.['lines']).toHaveLength(5_000);
    const larger = of(9_000);
    expect(await code(await send('/usage-reports', larger, { 'egress-signature': sign(larger) }))).toEqual([413, 'request_too_large']);
  });

  test('that is large is read with few others of its address at a time; small ones are not delayed', async () => {
    const slow = Array.from({ length: 4 }, () => {
      const request = httpRequest(`${site.url}/usage-reports`, { method: 'POST', headers: { 'content-length': 1_000_000 } });
      request.on('error', () => {});
      request.write('{');
      return request;
    });
    const large = JSON.stringify({ source: 'network', report_id: 'r2', lines: [], pad: 'x'.repeat(300_000) });
    const ask = () => send('/usage-reports', large, { 'egress-signature': sign(large) });
    while ((await ask()).status !== 503);
    expect(await code(await ask())).toEqual([503, 'overloaded']);
    expect((await send('/usage-reports', REPORT, { 'egress-signature': sign(REPORT) })).status).toBe(200);
    for (const request of slow) request.destroy();
    while ((await ask()).status !== 200);
  });

  test('of a network for some products carries these products', async () => {
    const body = REPORT.replace('"network"', '"mobile"');
    expect((await send('/usage-reports', body, { 'egress-signature': sign(body, 'another secret') })).status).toBe(200);
    expect(reports[0]?.request.variables).toMatchObject({ source: 'mobile', products: ['MOBILE'] });
  });
});

test('a start fails if a network may report for an unknown product, with a sentence that names it', () => {
  const sourcesOf = (written: string) => {
    const config = readConfig({ NODE_ENV: 'test', SANDBOX: 'true', SECRET: 's'.repeat(32), USAGE_SOURCES: written });
    return usageSourcesOf({ config, vendors: vendorsOf(config, secretsOf(config)) });
  };
  expect(Object.keys(sourcesOf('net=a,mobile[MOBILE+PREMIUM]=b'))).toEqual(['sandbox-network', 'net', 'mobile']);
  expect(() => sourcesOf('net=a,satellite[SATELLITE]=b')).toThrow('USAGE_SOURCES names SATELLITE for satellite: products are PREMIUM, ');
});
