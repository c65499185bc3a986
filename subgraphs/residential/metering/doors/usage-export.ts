// The use of a plan, or of all plans together, as a file for spreadsheets and scripts. The session's cookie identifies the owner, so that a plain link works.
import { csvLine } from '#platform/csv.ts';
import { periodOfDays } from '#platform/day-period.ts';
import type { DoorParts } from '#platform/doors.ts';
import { because, fail } from '#platform/errors.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { PRODUCT_CODES } from '../../../../edge/protocol/product.ts';

const PATH = /^\/residential\/(?:(plan_[0-9a-z]{26})\/)?usage\.(csv|json)$/;

const ROWS =
  'from to totalBytes shares { value upBytes downBytes totalBytes } others { values upBytes downBytes totalBytes } hosts { kept }';
const OF_PLAN = `query usageExport($id: ID!, $by: UsageDimension!, $from: DateTime, $to: DateTime) {
  of: residentialPlan(id: $id) { breakdown(by: $by, from: $from, to: $to, limit: 10000) { ${ROWS} } }
}`;
const OF_ALL = `query usageExport($products: [ResidentialProductCode!], $by: UsageDimension!, $from: Date!, $to: Date!) {
  of: residentialUsageOfPlans(from: $from, to: $to, products: $products) { breakdown(by: $by, limit: 10000) { ${ROWS} } }
}`;

/** `by` in the URL -> the dimension of the graph. */
const DIMENSIONS: Readonly<Record<string, string>> = {
  day: 'DAY',
  hour: 'HOUR',
  country: 'COUNTRY',
  session: 'SESSION',
  host: 'HOST',
  client: 'CLIENT',
  batch: 'BATCH',
  api_key: 'API_KEY',
  user: 'USER',
  plan: 'PLAN',
  product: 'PRODUCT',
};

interface Counted {
  upBytes: string;
  downBytes: string;
  totalBytes: string;
}

interface Breakdown {
  from: string;
  to: string;
  totalBytes: string;
  shares: (Counted & { value: string | null })[];
  others: Counted & { values: number };
  hosts: { kept: string };
}

/**
 * `GET /residential/{planId}/usage.csv|json?by=day|hour|country|session|host|client|batch|api_key|user&from=&to=` (ISO 8601; default of by: day), for the plan's
 * owner; `GET /residential/usage.csv|json?by=...|plan|product&from=&to=&product=` (days, YYYY-MM-DD; product: the code of one) of all plans of the account. The
 * rows sum to the bytes in the span; if there are more than 10,000, one more row has all others. By host, the name of the
 * file says when hosts are kept hashed or not at all, and JSON always does. session_invalid 401, plan_not_found 404, parameter_invalid 400.
 */
export function createUsageExportRoute({ ask, session }: Pick<DoorParts, 'ask' | 'session'>): Route {
  return {
    name: 'usage-export',
    matches: (pathname) => PATH.test(pathname),
    async handle(request, response, call) {
      requireMethod(request, response, 'GET', 'HEAD');
      const viewer = await session(request, call, 'read');
      const { url } = call;
      const [, id, format] = PATH.exec(url.pathname) ?? [];
      const by = url.searchParams.get('by') ?? 'day';
      if (!Object.hasOwn(DIMENSIONS, by)) throw fail('parameter_invalid', { field: 'by', allowed: Object.keys(DIMENSIONS) });
      const variables = { by: DIMENSIONS[by], ...(id ? { id, from: instant(url, 'from'), to: instant(url, 'to') } : daysAndProduct(url)) };
      const { of } = await ask<{ of: { breakdown: Breakdown } }>(id ? OF_PLAN : OF_ALL, variables, viewer);
      const file = Buffer.from(format === 'csv' ? toCsv(by, of.breakdown) : toJson(id, by, of.breakdown));
      response
        .writeHead(200, {
          'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
          'Content-Length': file.length,
          'Content-Disposition': `attachment; filename="usage-${id ? `${id}-` : ''}by-${by}${hostsIn(by, of.breakdown)}.${format}"`,
          'Cache-Control': 'no-store',
        })
        .end(request.method === 'HEAD' ? undefined : file);
    },
  };
}

const hostsIn = (by: string, { hosts: { kept } }: Breakdown): string => (by === 'host' && kept !== 'PLAIN' ? `-${kept.toLowerCase()}` : '');

/** Reads an instant; null when it is absent. Throws `parameter_invalid` for any other text. */
function instant(url: URL, name: string): string | null {
  const text = url.searchParams.get(name);
  if (text === null || text === '') return null;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) || Number.isNaN(Date.parse(text)))
    throw fail('parameter_invalid', { field: name, reason: because('instant_unfit', { name }) });
  return text;
}

/** Throws `parameter_missing`, `parameter_invalid`. */
function daysAndProduct({ searchParams }: URL) {
  const day = (name: string): string => {
    const text = searchParams.get(name);
    if (!text) throw fail('parameter_missing', { field: name });
    return text;
  };
  const product = searchParams.get('product');
  if (product && !PRODUCT_CODES.some((code) => code === product))
    throw fail('parameter_invalid', { field: 'product', allowed: PRODUCT_CODES });
  const [from, to] = [day('from'), day('to')];
  periodOfDays(from, to);
  return { from, to, products: product ? [product] : null };
}

function toCsv(by: string, { shares, others }: Breakdown): string {
  const line = (name: string | null, { upBytes, downBytes, totalBytes }: Counted) => csvLine([name, upBytes, downBytes, totalBytes]);
  const lines = [csvLine([by, 'up_bytes', 'down_bytes', 'total_bytes']), ...shares.map((share) => line(share.value, share))];
  if (others.values > 0) lines.push(line(`${others.values} others`, others));
  return lines.join('');
}

/** Bytes are decimal strings, as in the graph: exact at any size. */
function toJson(planId: string | undefined, by: string, { from, to, totalBytes, shares, others, hosts }: Breakdown): string {
  const counted = (share: Counted) => ({ up_bytes: share.upBytes, down_bytes: share.downBytes, total_bytes: share.totalBytes });
  return JSON.stringify({
    ...(planId && { plan_id: planId }),
    by,
    from,
    to,
    total_bytes: totalBytes,
    ...(by === 'host' && { hosts: hosts.kept.toLowerCase() }),
    rows: shares.map((share) => ({ [by]: share.value, ...counted(share) })),
    others: { values: others.values, ...counted(others) },
  });
}
