// Reports of networks on the bytes that their proxies carried. Signatures are verified here; residential counts each line once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { addressGroup } from '#platform/address-group.ts';
import { cleanText } from '#platform/clean-text.ts';
import { Counts } from '#platform/counts.ts';
import type { DoorParts } from '#platform/doors.ts';
import { fail } from '#platform/errors.ts';
import { systemViewer } from '#platform/identity.ts';
import { readBody } from '#platform/read-body.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';

const PATH = '/usage-reports';
/** 5,000 lines of the longest that networks send, 700 bytes each. A query to the graph in another process may have 4 MiB. */
const BODY_LIMIT = 5_000 * 700;
/** The signature can be checked only after the body is read, so bodies of more than LARGE bytes are read only so many at once, per group of addresses and in all. */
const LARGE = 262_144;
const LARGE_OF_ADDRESS = 4;
const MAX_LARGE = 16;
/** In both directions: a signature from the future is as suspect as an old one. */
const TOLERANCE_SECONDS = 300;

const RECEIVE = `mutation usageReportReceive($source: String!, $reportId: String!, $lines: [UsageReportLineInput!]!, $products: [ResidentialProductCode!]) {
  receipt: usageReportReceive(source: $source, reportId: $reportId, lines: $lines, products: $products) {
    counted repeated unknown quarantined refused { line code message }
  }
}`;

/** A network that may report usage. */
export interface UsageSource {
  secret: string;
  /** Residential products that it may report for, by their names in the graph; absent: all. */
  products?: readonly string[];
}

/** Name of a source -> its secret and products. */
export type UsageSources = Readonly<Record<string, UsageSource>>;

/**
 * `POST /usage-reports` with `{ source, report_id, lines: [{ line, username, up_bytes, down_bytes, at, country?, session?, host?, client? }] }` and
 * `Egress-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. 200 with `{ counted, repeated, unknown, quarantined, refused: [{ line, code, message
 * }] }`: only the invalid lines are refused, `line` being the given number or null. 400 signature_invalid.
 */
export function createUsageReportsRoute({ ask, clock }: Pick<DoorParts, 'ask' | 'clock'>, usageSources: UsageSources): Route {
  const reading = boundedReader();
  return {
    name: 'usage-reports',
    vital: true,
    matches: (pathname) => pathname === PATH,
    async handle(request, response, { requestId, address }) {
      requireMethod(request, response, 'POST');
      const body = await reading(request, address);
      const report = readReport(body);
      const known = Object.hasOwn(usageSources, report.source) ? usageSources[report.source] : undefined;
      const signature = request.headers['egress-signature'];
      if (!known || typeof signature !== 'string') throw fail('signature_invalid');
      verify(signature, body, known.secret, clock.now().getTime() / 1_000);
      const viewer = { ...systemViewer('usage-reports', requestId), address };
      const { lines, refused } = sorted(report.lines);
      const variables = { source: report.source, reportId: report.reportId, lines, ...(known.products && { products: known.products }) };
      const { receipt } = await ask<{ receipt: { refused: object[] } }>(RECEIVE, variables, viewer);
      sendJson(response, 200, { ...receipt, refused: [...refused, ...receipt.refused] });
    },
  };
}

/** Reads bodies. Large ones, and those without a length, only so many at once. Errors: request_too_large, overloaded. */
function boundedReader(): (request: IncomingMessage, address: string) => Promise<Buffer> {
  const counts = new Counts();
  let all = 0;
  return async (request, address) => {
    if (Number(request.headers['content-length'] ?? BODY_LIMIT) <= LARGE) return readBody(request, LARGE);
    const group = addressGroup(address);
    if (all >= MAX_LARGE || counts.of(group) >= LARGE_OF_ADDRESS) throw fail('overloaded');
    all++;
    counts.add(group);
    try {
      return await readBody(request, BODY_LIMIT);
    } finally {
      all--;
      counts.remove(group);
    }
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

function readReport(body: Buffer): { source: string; reportId: string; lines: unknown[] } {
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
  return { source, reportId, lines };
}

/** A text that the network's customers chose must not cost the line: characters that PostgreSQL cannot store are removed. */
const text = z.string().transform(cleanText);
const bytes = z.union([z.int().min(0), z.string().regex(/^\d{1,18}$/)]);
/** The form of a line in a report; residential decides whether it is plausible. */
const lineShape = z.object({
  line: z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31 - 1),
  username: text,
  up_bytes: bytes,
  down_bytes: bytes,
  at: z.string().refine((instant) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(instant) && !Number.isNaN(Date.parse(instant))),
  country: text.nullish(),
  session: text.nullish(),
  host: text.nullish(),
  client: text.nullish(),
});

/** Lines as the graph's input, and refusals of those that do not have the form. */
function sorted(given: readonly unknown[]): { lines: object[]; refused: { line: number | null; code: string; message: string }[] } {
  const lines: object[] = [];
  const refused: { line: number | null; code: string; message: string }[] = [];
  for (const each of given) {
    const { success, data, error } = lineShape.safeParse(each);
    if (success) {
      const { up_bytes: upBytes, down_bytes: downBytes, ...rest } = data;
      lines.push({ ...rest, upBytes, downBytes });
    } else {
      const { line } = (each ?? {}) as { line?: unknown };
      const field = error.issues[0]?.path[0];
      refused.push({
        line: typeof line === 'number' && Number.isInteger(line) ? line : null,
        code: 'line_invalid',
        message: field === undefined ? 'This is no line of a report.' : `${String(field)} of the line is missing or not valid.`,
      });
    }
  }
  return { lines, refused };
}
