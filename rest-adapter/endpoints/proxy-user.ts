// Proxy users in REST and MCP: their form in answers (snake_case, GB), and the conversion of their inputs.
import { z } from 'zod';
import { toGb } from '#platform/data-size.ts';
import { toId } from '../endpoint.ts';

/** The fields of PROXY_USER_FIELDS, as the graph answers them. */
export interface ProxyUserResult {
  id: string;
  planId: string;
  name: string;
  username: string;
  password: string;
  state: string;
  resumesAt: string | null;
  dailyLimitBytes: string | null;
  monthlyLimitBytes: string | null;
  totalLimitBytes: string | null;
  countedBytes: string;
  usedBytes: string;
  usedTodayBytes: string;
  usedMonthBytes: string;
  countries: string[];
  targets: string[];
  clients: string[];
  usedAt: string | null;
  createdAt: string;
}

export const PROXY_USER_FIELDS = /* GraphQL */ `
  id
  planId
  name
  username
  password
  state
  resumesAt
  dailyLimitBytes
  monthlyLimitBytes
  totalLimitBytes
  countedBytes
  usedBytes
  usedTodayBytes
  usedMonthBytes
  countries
  targets
  clients
  usedAt
  createdAt
`;

const gb = (description: string) => z.number().min(0).describe(description);
const limit = (description: string) => z.number().min(0).nullable().describe(`${description} in GB; null: none.`);

export const PROXY_USER = z.object({
  user_id: z.string(),
  product_id: z.string().describe('The plan that its bytes are of.'),
  name: z.string(),
  username: z.string().describe('Before the first hyphen of its lines.'),
  password: z.string(),
  state: z.enum(['active', 'paused', 'daily_limit', 'monthly_limit', 'used_up', 'removed']),
  resumes_at: z.string().nullable().describe('When a limit that is reached is over by itself.'),
  daily_limit_gb: limit('Limit of a day of UTC,'),
  monthly_limit_gb: limit('Limit of a calendar month of UTC,'),
  total_limit_gb: limit('Limit for good,'),
  counted_gb: gb('What counts for the total limit: since it was made, or renewed.'),
  used_gb: gb('All that it has used.'),
  used_today_gb: gb('Today, in UTC.'),
  used_month_gb: gb('This month, in UTC.'),
  countries: z.array(z.string()).describe('Codes of places that its lines may leave from; empty: all.'),
  targets: z.array(z.string()).describe('Hosts that its lines may reach; empty: all.'),
  clients: z.array(z.string()).describe('Addresses and networks that its lines work from; empty: all.'),
  used_at: z.string().nullable(),
  created_at: z.string(),
});

const gbOf = (bytes: string | null): number | null => (bytes === null ? null : toGb(BigInt(bytes)));

export const toProxyUser = (user: ProxyUserResult) => ({
  user_id: user.id,
  product_id: user.planId,
  name: user.name,
  username: user.username,
  password: user.password,
  state: user.state.toLowerCase(),
  resumes_at: user.resumesAt,
  daily_limit_gb: gbOf(user.dailyLimitBytes),
  monthly_limit_gb: gbOf(user.monthlyLimitBytes),
  total_limit_gb: gbOf(user.totalLimitBytes),
  counted_gb: toGb(BigInt(user.countedBytes)),
  used_gb: toGb(BigInt(user.usedBytes)),
  used_today_gb: toGb(BigInt(user.usedTodayBytes)),
  used_month_gb: toGb(BigInt(user.usedMonthBytes)),
  countries: user.countries,
  targets: user.targets,
  clients: user.clients,
  used_at: user.usedAt,
  created_at: user.createdAt,
});

export const userId = () => z.string().describe('Identifier of the proxy user, from the list of the plan (user_id).');

const limitInput = (of: string) =>
  z.number().min(0).max(1_000_000).describe(`Limit of ${of} in GB, at least 0.001; 0 takes it away. Left out it stays.`).optional();
const listInput = (what: string, max: number) =>
  z.array(z.string().max(253)).max(max).describe(`${what} An empty list allows all. Left out it stays.`).optional();

/** The inputs that set a user's limits and rules. */
export const TERMS_INPUT = {
  daily_limit_gb: limitInput('a day of UTC'),
  monthly_limit_gb: limitInput('a calendar month of UTC'),
  total_limit_gb: limitInput('all its use'),
  countries: listInput('Names or codes of the countries that its lines may leave from.', 100),
  targets: listInput('Hosts, with all below them, or addresses that its lines may reach.', 200),
  clients: listInput('Addresses and networks that its lines work from.', 100),
};

const bytesOf = (given: number | undefined): string | null | undefined =>
  given === undefined ? undefined : given === 0 ? null : String(Math.round(given * 1_000_000_000));

interface Terms {
  name?: string | undefined;
  paused?: boolean | undefined;
  daily_limit_gb?: number | undefined;
  monthly_limit_gb?: number | undefined;
  total_limit_gb?: number | undefined;
  countries?: string[] | undefined;
  targets?: string[] | undefined;
  clients?: string[] | undefined;
}

/** Converts the inputs to those of the graph, without those that were not given. */
export function termsOf({ name, paused, countries, targets, clients, ...limits }: Terms): Record<string, unknown> {
  const all = {
    name,
    paused,
    countries,
    targets,
    clients,
    dailyLimitBytes: bytesOf(limits.daily_limit_gb),
    monthlyLimitBytes: bytesOf(limits.monthly_limit_gb),
    totalLimitBytes: bytesOf(limits.total_limit_gb),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export const ofUser = ({ user }: { user: string }) => ({ id: toId(user) });

export const EXAMPLE_PLAN = 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z';
export const EXAMPLE_USER = {
  user_id: 'user_01jd8x4m2c7n5q9r3t6v8w0y1z',
  product_id: EXAMPLE_PLAN,
  name: 'Shop watch',
  username: 'k7m2q9x4t8w1',
  password: 'q3n8V5xR2mK9tB7wZ4cL1p',
  state: 'active',
  resumes_at: null,
  daily_limit_gb: 1,
  monthly_limit_gb: null,
  total_limit_gb: 20,
  counted_gb: 0.25,
  used_gb: 0.25,
  used_today_gb: 0.25,
  used_month_gb: 0.25,
  countries: ['de', 'at'],
  targets: [],
  clients: [],
  used_at: '2026-01-15T11:59:00.000Z',
  created_at: '2026-01-15T10:00:00.000Z',
} as const;
