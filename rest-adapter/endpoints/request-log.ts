// The endpoints of the log of a plan's requests.
import { z } from 'zod';
import { type AnyEndpoint, defineEndpoint, planId, toId } from '../endpoint.ts';
import { EXAMPLE_PLAN } from './proxy-user.ts';

const MODES = ['off', 'sampled', 'whole'] as const;

interface LogResult {
  mode: string;
  kept: number;
  missed: number;
}

interface EntryResult {
  id: string;
  at: string;
  durationMs: number;
  host: string | null;
  port: number | null;
  status: number | null;
  upBytes: string;
  downBytes: string;
  country: string | null;
  state: string | null;
  city: string | null;
  session: string | null;
  userId: string | null;
  error: { code: string; message: string; hint: string | null } | null;
}

const LOG = {
  product: z.string().describe('The product_id of the plan.'),
  mode: z.enum(MODES).describe('off: none. sampled: all that failed, one in ten of the others. whole: all.'),
  kept: z.int().min(0),
  missed: z.int().min(0).describe('Requests that were to be written down, and for which there was no room.'),
};
const toLog = (product: string, { mode, kept, missed }: LogResult) => ({ product, mode: mode.toLowerCase(), kept, missed });

const REQUEST = z.object({
  entry_id: z.string(),
  at: z.string().describe('When it was over.'),
  duration_ms: z.number(),
  host: z.string().nullable().describe('Null, as the port: it was refused before it named a target, or carried datagrams.'),
  port: z.int().nullable(),
  status: z.int().nullable().describe('What the client was answered; 200 for a tunnel that stood. Null: the client left before.'),
  up_bytes: z.int().min(0),
  down_bytes: z.int().min(0),
  country: z.string().nullable().describe('Where it left from, or was to.'),
  state: z.string().nullable(),
  city: z.string().nullable(),
  session: z.string().nullable().describe('Null: a rotating line.'),
  user: z.string().nullable().describe("user_id; null: the plan's own lines."),
  error: z
    .object({ code: z.string(), message: z.string(), hint: z.string().nullable().describe('How to mend it.') })
    .nullable()
    .describe('Null: it went well, as far as the proxy can tell.'),
});

const toRequest = ({ id, durationMs, upBytes, downBytes, userId, ...entry }: EntryResult) => ({
  entry_id: id,
  ...entry,
  duration_ms: durationMs,
  up_bytes: Number(upBytes),
  down_bytes: Number(downBytes),
  user: userId,
});

/** What all endpoints here have in common. */
const OF_PLAN = {
  path: '/v1/residential/{product_id}/request-log',
  input: z.object({ product: planId() }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' } },
  codes: [],
} as const;

const instant = (description: string) => z.iso.datetime({ offset: true }).describe(description).optional();

const listRequests = defineEndpoint({
  ...OF_PLAN,
  path: '/v1/residential/{product_id}/requests',
  tool: 'list_requests',
  title: 'List requests',
  description:
    'Single requests of one residential plan of the last days, newest first, where its owner keeps a log of them: where they went, what was answered, bytes, exit place, ' +
    'and what was wrong with how to mend it. All filters that are given have to hold. Call it to find out why requests fail.',
  message: 'Requests listed.',
  scope: 'read',
  input: z.object({
    product: planId(),
    from: instant('Since then, inclusive.'),
    to: instant('Until then, exclusive.'),
    host: z.string().max(253).describe('A host with all below it, or an address.').optional(),
    status: z.int().min(100).max(599).describe('What the client was answered.').optional(),
    error: z.string().max(64).describe('A code, such as target_refused.').optional(),
    failed: z.boolean().default(false).describe('true: those with an error, or a status of 400 and more.'),
    user: z.string().describe('user_id of a proxy user.').optional(),
    session: z.string().max(64).describe('The session number of sticky lines.').optional(),
    after: z.string().describe('The last entry_id of the answer before.').optional(),
    limit: z.int().min(1).max(1_000).default(50).describe('How many at most.'),
  }),
  restNames: { ...OF_PLAN.restNames, user: 'user_id' },
  refusals: { ...OF_PLAN.refusals, limit: { code: 'limit_invalid' } },
  output: z.object({ ...LOG, requests: z.array(REQUEST) }),
  named: { requests: 'LoggedRequest', 'requests.error': 'ProxyFault' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListRequests($planId: ID!, $first: Int!, $after: ID, $filter: RequestLogFilter!) {
      residentialPlan(id: $planId) {
        id
        requestLog {
          mode
          kept
          missed
          entries(first: $first, after: $after, filter: $filter) {
            id
            at
            durationMs
            host
            port
            status
            upBytes
            downBytes
            country
            state
            city
            session
            userId
            error {
              code
              message
              hint
            }
          }
        }
      }
    }
  `,
  variables: ({ product, after, limit, failed, user, ...filter }) => ({
    planId: toId(product),
    first: limit,
    ...(after !== undefined && { after: toId(after) }),
    filter: { ...filter, onlyFailed: failed, ...(user !== undefined && { userId: toId(user) }) },
  }),
  data: ({
    residentialPlan: { id, requestLog },
  }: {
    residentialPlan: { id: string; requestLog: LogResult & { entries: EntryResult[] } };
  }) => ({
    ...toLog(id, requestLog),
    requests: requestLog.entries.map(toRequest),
  }),
  example: {
    input: { product: EXAMPLE_PLAN, failed: true, limit: 1 },
    data: {
      product: EXAMPLE_PLAN,
      mode: 'sampled',
      kept: 1204,
      missed: 0,
      requests: [
        {
          entry_id: '1768478400000-12',
          at: '2026-01-15T12:00:00.000Z',
          duration_ms: 412.5,
          host: 'shop.example',
          port: 443,
          status: 502,
          up_bytes: 0,
          down_bytes: 0,
          country: 'de',
          state: null,
          city: null,
          session: '48120394',
          user: null,
          error: { code: 'target_refused', message: 'The target refuses connections.', hint: null },
        },
      ],
    },
  },
});

const SET_OUTPUT = z.object(LOG);
const EXAMPLE_LOG = { product: EXAMPLE_PLAN, mode: 'sampled', kept: 1204, missed: 0 };
const LOG_FIELDS = 'id requestLog { mode kept missed }';
interface SetResult {
  id: string;
  requestLog: LogResult;
}

const setRequestLog = defineEndpoint({
  ...OF_PLAN,
  method: 'PATCH',
  tool: 'set_request_log',
  title: 'Set the request log',
  description:
    'Whether single requests of one residential plan are written down from now on: none, those that fail with one in ten of the others, or all. What is there stays for its days.',
  message: 'Request log set.',
  scope: 'plans',
  input: z.object({ product: planId(), mode: z.enum(MODES).describe('off, sampled or whole.') }),
  output: SET_OUTPUT,
  outputName: 'RequestLog',
  readOnly: false,
  operation: `mutation SetRequestLog($id: ID!, $mode: RequestLogMode!) { residentialPlanSetRequestLog(id: $id, mode: $mode) { ${LOG_FIELDS} } }`,
  variables: ({ product, mode }) => ({ id: toId(product), mode: mode.toUpperCase() }),
  data: ({ residentialPlanSetRequestLog: { id, requestLog } }: { residentialPlanSetRequestLog: SetResult }) => toLog(id, requestLog),
  example: { input: { product: EXAMPLE_PLAN, mode: 'sampled' }, data: EXAMPLE_LOG },
});

const deleteRequestLog = defineEndpoint({
  ...OF_PLAN,
  method: 'DELETE',
  tool: 'delete_request_log',
  title: 'Delete the request log',
  description: 'Deletes all logged requests of one residential plan at once. Whether further ones are written down stays as it is.',
  message: 'Request log deleted.',
  scope: 'plans',
  output: SET_OUTPUT,
  outputName: 'RequestLog',
  readOnly: false,
  destructive: true,
  operation: `mutation DeleteRequestLog($id: ID!) { residentialPlanDeleteRequestLog(id: $id) { ${LOG_FIELDS} } }`,
  variables: ({ product }) => ({ id: toId(product) }),
  data: ({ residentialPlanDeleteRequestLog: { id, requestLog } }: { residentialPlanDeleteRequestLog: SetResult }) => toLog(id, requestLog),
  example: { input: { product: EXAMPLE_PLAN }, data: { ...EXAMPLE_LOG, kept: 0 } },
});

export const REQUEST_LOG_ENDPOINTS: readonly AnyEndpoint[] = [listRequests, setRequestLog, deleteRequestLog];
