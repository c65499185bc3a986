// Reports of networks on what their proxies carried: verified here, counted by residential, each line once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { cleanText } from '#shared/clean-text.ts';
import { type Clock } from '#shared/clock.ts';
import { fail, fromExtensions } from '#shared/errors.ts';
import { systemViewer } from '#shared/identity.ts';
import { readBody } from '#shared/read-body.ts';
import { requireMethod, sendJson } from './respond.ts';
import type { Route } from './route.ts';
import type { Source } from './sources/source.ts';

const PATH = '/usage-reports';
const BODY_LIMIT = 262_144;
/** Both ways: a signature from the future is as suspect as an old one. */
const TOLERANCE_SECONDS = 300;

const RECEIVE = `mutation usageReportReceive($source: String!, $reportId: String!, $lines: [UsageReportLineInput!]!) {
  receipt: usageReportReceive(source: $source, reportId: $reportId, lines: $lines) { counted repeated unknown }
}`;

export interface UsageReportsOptions {
  residential: Source;
  /** source -> the secret it signs with. */
  usageSources: Readonly<Record<string, string>>;
  clock: Clock;
}

/**
 * `POST /usage-reports` with `{ source, report_id, lines: [{ line, username, up_bytes, down_bytes, at, country?, session?, host?, client? }] }` and
 * `Egress-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. 200 with `{ counted, repeated, unknown }`; 400 signature_invalid.
 */
export function createUsageReportsRoute({ residential, usageSources, clock }: UsageReportsOptions): Route {
  return {
    name: 'usage-reports',
    vital: true,
    matches: (pathname) => pathname === PATH,
    async handle(request, response, { requestId, address }) {
      requireMethod(request, response, 'POST');
      const body = await readBody(request, BODY_LIMIT);
      const report = readReport(body);
      const secret = Object.hasOwn(usageSources, report.source) ? usageSources[report.source] : undefined;
      const signature = request.headers['egress-signature'];
      if (!secret || typeof signature !== 'string') throw fail('signature_invalid');
      verify(signature, body, secret, clock.now().getTime() / 1_000);
      const viewer = { ...systemViewer('usage-reports', requestId), address };
      const { data, errors } = await residential.execute({ query: RECEIVE, variables: { ...report } }, viewer);
      const [error] = errors ?? [];
      if (error) throw fromExtensions(error.message, error.extensions) ?? fail('internal');
      sendJson(response, 200, data?.['receipt']);
    },
  };
}

function verify(header: string, body: Buffer, secret: string, nowSeconds: number): void {
  const parts = header.split(',').map((part) => part.split('='));
  const at = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(at) || Math.abs(nowSeconds - Number(at)) > TOLERANCE_SECONDS) throw fail('signature_invalid');
  const expected = createHmac('sha256', secret).update(`${at}.`).update(body).digest();
  // Several v1 are allowed, so that a network can change its secret without a gap.
  const matches = parts.some(([name, value]) => {
    if (name !== 'v1' || !/^[0-9a-f]{64}$/.test(value ?? '')) return false;
    return timingSafeEqual(Buffer.from(value as string, 'hex'), expected);
  });
  if (!matches) throw fail('signature_invalid');
}

/** The report in the graph's words. The subgraph checks the lines; this only finds them. */
function readReport(body: Buffer): { source: string; reportId: string; lines: object[] } {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw fail('signature_invalid');
  }
  const { source, report_id: reportId, lines } = (value ?? {}) as Record<string, unknown>;
  if (typeof source !== 'string') throw fail('signature_invalid');
  if (typeof reportId !== 'string' || !Array.isArray(lines))
    throw fail('parameter_invalid', { field: typeof reportId === 'string' ? 'lines' : 'report_id' });
  return { source, reportId, lines: lines.map(toLine) };
}

function toLine(given: unknown): object {
  if (typeof given !== 'object' || given === null) throw fail('parameter_invalid', { field: 'lines' });
  const { line, username, up_bytes: upBytes, down_bytes: downBytes, at, ...told } = given as Record<string, unknown>;
  const { country, session, host, client } = told;
  return {
    line,
    username: clean(username),
    upBytes,
    downBytes,
    at,
    country: clean(country),
    session: clean(session),
    host: clean(host),
    client: clean(client),
  };
}

/** What customers of the network chose costs nobody a line: it is written down without what no text may have. */
const clean = (value: unknown): unknown => (typeof value === 'string' ? cleanText(value) : value);
