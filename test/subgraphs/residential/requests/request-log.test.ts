import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import type { ResultStream } from '#platform/subgraph-runner.ts';
import type { LoggedRequest } from '../../../../edge/protocol/request-log.ts';
import { subjectOf } from '../../../../edge/protocol/subject.ts';
import { ERRORS } from '../../../../schema/codes/catalogue.ts';
import { PROXY_MENDING } from '../../../../schema/codes/mending.ts';
import { REQUEST_LOG } from '../../../../schema/limits.ts';
import { DEFAULT_RETENTION } from '../../../../schema/retention.ts';
import { planFacts } from '../../../../subgraphs/residential/edges/services/edges.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { lockPlans } from '../../../../subgraphs/residential/plans/entities/plan.ts';
import { firstKeptHour } from '../../../../subgraphs/residential/requests/domain/request-log.ts';
import { forgetRequests, receiveRequests } from '../../../../subgraphs/residential/requests/services/receive-requests.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { rowsOf, setRows } from '../../../kit/tables.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

interface Entry {
  id: string;
  at: string;
  durationMs: number;
  host: string | null;
  port: number | null;
  status: number | null;
  country: string | null;
  session: string | null;
  userId: string | null;
  error: { code: string; message: string; hint: string | null } | null;
}
interface Log {
  mode: string;
  kept: number;
  missed: number;
  entries: Entry[];
}

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const ENTRY = 'id at durationMs host port status country session userId error { code message hint }';
const LOG = `query ($plan: ID!, $first: Int! = 50, $after: ID, $filter: RequestLogFilter) {
  residentialPlan(id: $plan) { requestLog { mode kept missed entries(first: $first, after: $after, filter: $filter) { ${ENTRY} } } } }`;
const SET =
  'mutation ($plan: ID!, $mode: RequestLogMode!) { residentialPlanSetRequestLog(id: $plan, mode: $mode) { requestLog { mode } } }';
const DELETE = 'mutation ($plan: ID!) { residentialPlanDeleteRequestLog(id: $plan) { requestLog { mode kept } } }';

const logOf = async (plan: Plan, variables: object = {}): Promise<Log> => {
  const answer = await world.must<{ residentialPlan: { requestLog: Log } }>(sessionOf(plan.accountId), LOG, {
    plan: plan.id,
    ...variables,
  });
  return answer.residentialPlan.requestLog;
};
const hostsOf = async (plan: Plan, filter: object = {}) => (await logOf(plan, { filter })).entries.map(({ host }) => host);
const set = (plan: Plan, mode: string) => world.must(sessionOf(plan.accountId), SET, { plan: plan.id, mode });
const chosen = async (mode = 'WHOLE', accountId = 'acct_log'): Promise<Plan> => {
  const plan = await world.plan(accountId);
  await set(plan, mode);
  return plan;
};
const request = (plan: Plan, over: Partial<LoggedRequest> = {}): LoggedRequest => ({
  subject: plan.id,
  at: world.clock.now().getTime(),
  durationMs: 12,
  host: 'shop.example',
  port: 443,
  status: 200,
  up: 10,
  down: 20,
  country: 'de',
  ...over,
});
let batches = 0;
const receive = (requests: LoggedRequest[], { id = `batch-${++batches}`, gaps = [] as { subject: string; requests: number }[] } = {}) =>
  receiveRequests(world.context(), 'edge-1', { id, requests, gaps });

describe('the choice', () => {
  test('is off until the owner chooses, is told to nodes, and of a plan that is off nothing is kept', async () => {
    const plan = await world.plan('acct_choice');
    expect(await logOf(plan)).toEqual({ mode: 'OFF', kept: 0, missed: 0, entries: [] });
    expect((await planFacts(world.context(), plan.username))?.requestLog).toBeUndefined();
    await receive([request(plan)], { gaps: [{ subject: plan.id, requests: 3 }] });
    expect(await logOf(plan)).toMatchObject({ kept: 0, missed: 0 });
    await set(plan, 'SAMPLED');
    expect((await planFacts(world.context(), plan.username))?.requestLog).toBe('SAMPLED');
    await set(plan, 'WHOLE');
    await set(plan, 'WHOLE');
    expect((await planFacts(world.context(), plan.username))?.requestLog).toBe('WHOLE');
    await set(plan, 'OFF');
    expect((await planFacts(world.context(), plan.username))?.requestLog).toBeUndefined();
    const said = await world.events(plan.id, 'residential_plan.request_log_set');
    expect(said.map(({ data }) => (data as { mode: string }).mode)).toEqual(['SAMPLED', 'WHOLE', 'OFF']);
  });

  test('what was over before it was switched on does not come, and what is there stays when it is switched off', async () => {
    const plan = await chosen();
    const before = request(plan, { at: world.clock.now().getTime() - 1, host: 'before.example' });
    await receive([before, request(plan)]);
    expect(await hostsOf(plan)).toEqual(['shop.example']);
    await set(plan, 'OFF');
    await receive([request(plan, { host: 'after.example' })]);
    expect(await hostsOf(plan)).toEqual(['shop.example']);
  });

  test('is the owner’s alone: a key reads, and nobody else finds the plan', async () => {
    const plan = await chosen('SAMPLED', 'acct_owner');
    expect(codesOf(await world.ask(keyOf('acct_owner'), SET, { plan: plan.id, mode: 'WHOLE' }))).toEqual(['forbidden']);
    expect((await world.ask(keyOf('acct_owner'), LOG, { plan: plan.id })).errors).toBeUndefined();
    for (const text of [LOG, SET, DELETE])
      expect(codesOf(await world.ask(sessionOf('acct_other'), text, { plan: plan.id, mode: 'OFF' }))).toEqual(['plan_not_found']);
  });
});

describe('what is written down', () => {
  test('says host, port, status, place, duration, user and session, and of an error how to mend it', async () => {
    const plan = await chosen();
    await receive([
      request(plan, { subject: subjectOf(plan.id, 'user_1'), session: '00000001', state: 'berlin', city: 'berlin' }),
      request(plan, { host: '', port: 0, status: 407, error: 'proxy_credentials_wrong', country: '', at: world.clock.now().getTime() + 1 }),
      request(plan, { error: 'of_a_newer_node', at: world.clock.now().getTime() + 2 }),
    ]);
    const { entries } = await logOf(plan);
    expect(entries).toMatchObject([
      { error: { code: 'of_a_newer_node', message: 'of_a_newer_node', hint: null } },
      {
        host: null,
        port: null,
        status: 407,
        country: null,
        error: {
          code: 'proxy_credentials_wrong',
          message: ERRORS.proxy_credentials_wrong.message,
          hint: PROXY_MENDING.proxy_credentials_wrong.en,
        },
      },
      { host: 'shop.example', port: 443, status: 200, country: 'de', durationMs: 12, userId: 'user_1', session: '00000001', error: null },
    ]);
  });

  test('counts once, however often a batch is sent, and tells gaps', async () => {
    const plan = await chosen();
    const batch = { id: 'again', gaps: [{ subject: plan.id, requests: 7 }] };
    await receive([request(plan)], batch);
    await receive([request(plan)], batch);
    expect(await logOf(plan)).toMatchObject({ kept: 1, missed: 7, entries: [{ host: 'shop.example' }] });
  });

  test('what is dated to the future is not kept, what is older than the log is left out', async () => {
    const plan = await chosen();
    const now = world.clock.now().getTime();
    await receive([request(plan, { at: now + 2 * MINUTE }), request(plan, { at: now - 8 * DAY })]);
    expect(await logOf(plan)).toMatchObject({ kept: 0, missed: 1, entries: [] });
  });

  test('touches neither ledger nor sums', async () => {
    const plan = await chosen();
    await receive([request(plan, { up: 1_000_000, down: 1_000_000 })]);
    expect(await world.planNow(plan.id)).toMatchObject({ upBytes: 0n, downBytes: 0n });
    expect(await world.tables.sumsOf(plan.id)).toEqual([0n, 0n, 0n, 0n, 0n]);
  });

  test('waits for no plan that metering has locked', async () => {
    const plan = await chosen();
    await world.context().em.transactional(async (em) => {
      await lockPlans(em, [plan.id]);
      await receive([request(plan)]);
    });
    expect(await hostsOf(plan)).toEqual(['shop.example']);
  });
});

describe('reading', () => {
  test('filters by host with all below it, status, error, failure, user, session and time', async () => {
    const plan = await chosen();
    const now = world.clock.now().getTime();
    await receive([
      request(plan, { host: 'a.test', at: now }),
      request(plan, { host: 'www.a.test', at: now + 1, status: 404 }),
      request(plan, { host: 'nota.test', at: now + 2, status: 502, error: 'target_refused' }),
      request(plan, { host: 'b.test', at: now + 3, session: '00000007' }),
      request(plan, { host: 'c.test', at: now + 4, subject: subjectOf(plan.id, 'user_7') }),
    ]);
    expect(await hostsOf(plan)).toEqual(['c.test', 'b.test', 'nota.test', 'www.a.test', 'a.test']);
    expect(await hostsOf(plan, { host: 'A.test' })).toEqual(['www.a.test', 'a.test']);
    expect(await hostsOf(plan, { host: '%' })).toEqual([]);
    expect(await hostsOf(plan, { status: 404 })).toEqual(['www.a.test']);
    expect(await hostsOf(plan, { error: 'target_refused' })).toEqual(['nota.test']);
    expect(await hostsOf(plan, { onlyFailed: true })).toEqual(['nota.test', 'www.a.test']);
    expect(await hostsOf(plan, { session: '00000007' })).toEqual(['b.test']);
    expect(await hostsOf(plan, { userId: 'user_7' })).toEqual(['c.test']);
    const from = new Date(now + 1).toISOString();
    expect(await hostsOf(plan, { from, to: new Date(now + 3).toISOString() })).toEqual(['nota.test', 'www.a.test']);
  });

  test('goes on after the last one, within one millisecond too', async () => {
    const plan = await chosen();
    await receive(Array.from({ length: 7 }, (_, index) => request(plan, { host: `${index}.test` })));
    const seen: (string | null)[] = [];
    for (let after: string | undefined; ;) {
      const { entries } = await logOf(plan, { first: 3, ...(after !== undefined && { after }) });
      seen.push(...entries.map(({ host }) => host));
      after = entries.at(2)?.id;
      if (after === undefined) break;
    }
    for (const after of ['nonsense', '1-', '1-1']) expect((await logOf(plan, { after })).entries).toEqual([]);
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `${index}.test`));
  });

  test.each([{ first: 0 }, { first: 1_001 }, { filter: { from: 'today' } }])('%j is refused', async (given) => {
    const plan = await chosen();
    const answer = await world.ask(sessionOf(plan.accountId), LOG, { plan: plan.id, ...given });
    expect(codesOf(answer).length).toBe(1);
  });

  test('live, what is written from now on and fits, and nothing of other plans', async () => {
    const [plan, other] = [await chosen(), await chosen()];
    await receive([request(plan, { host: 'before.test' })]);
    const text = `subscription ($plan: ID!, $filter: RequestLogFilter) { residentialRequestsLogged(planId: $plan, filter: $filter) { ${ENTRY} } }`;
    const stream = (await world.subscribe(keyOf(plan.accountId), text, { plan: plan.id, filter: { onlyFailed: true } })) as ResultStream;
    const next = stream.next();
    await receive([request(other, { status: 500, host: 'other.test' })]);
    await receive([request(plan, { host: 'fine.test' })]);
    await receive([request(plan, { status: 500, host: 'broken.test' })]);
    const { value } = await next;
    expect((value as { data: { residentialRequestsLogged: Entry[] } }).data.residentialRequestsLogged.map(({ host }) => host)).toEqual([
      'broken.test',
    ]);
    await stream.return?.();
    const refused = await world.subscribe(sessionOf('acct_other'), text, { plan: plan.id });
    expect(Symbol.asyncIterator in refused ? [] : codesOf(refused)).toEqual(['plan_not_found']);
  });
});

describe('bounds', () => {
  test('an hour that is full counts what it has no room for', async () => {
    const plan = await chosen();
    await receive([request(plan)]);
    await setRows(world.query, 'residential.request_log_hour', { entries: REQUEST_LOG.hour - 1 }, { plan_id: plan.id });
    await receive([request(plan, { host: 'last.test' }), request(plan, { host: 'none.test' })]);
    expect(await logOf(plan)).toMatchObject({ kept: REQUEST_LOG.hour, missed: 1 });
    expect(await hostsOf(plan)).toEqual(['last.test', 'shop.example']);
  });

  test('of a plan with too much the oldest hours go, and after seven days all do', async () => {
    const plan = await chosen();
    const hours = [0, 1, 2].map((hour) => world.clock.now().getTime() + hour * HOUR);
    for (const at of hours) {
      world.clock.set(new Date(at));
      await receive([request(plan, { at, host: `${hours.indexOf(at)}.test` })]);
    }
    await setRows(world.query, 'residential.request_log_hour', { entries: REQUEST_LOG.plan / 2 }, { plan_id: plan.id });
    await forgetRequests(world.context());
    expect(await hostsOf(plan)).toEqual(['2.test', '1.test']);
    world.clock.advance(DEFAULT_RETENTION.requests * DAY + 1);
    expect(await hostsOf(plan)).toEqual([]);
    world.clock.advance(2 * HOUR);
    await forgetRequests(world.context());
    for (const table of ['request_log', 'request_log_hour'])
      expect(await rowsOf(world.query, `residential.${table}`, { plan_id: plan.id })).toEqual([]);
    expect(await rowsOf(world.query, 'residential.request_log_batch', {})).toEqual([]);
  });

  test('the present hour stays whatever it has', () => {
    const hour = (number: number, entries: number) => ({ hour: new Date(number * HOUR), entries });
    expect(firstKeptHour([])).toBeUndefined();
    expect(firstKeptHour([hour(3, REQUEST_LOG.plan + 1), hour(2, 1)])).toEqual(new Date(3 * HOUR));
    expect(firstKeptHour([hour(3, 1), hour(2, REQUEST_LOG.plan - 1), hour(1, 1)])).toEqual(new Date(2 * HOUR));
  });
});

describe('deletion', () => {
  test('takes all of it, at once, and what nodes still hold of before', async () => {
    const plan = await chosen();
    const late = request(plan, { host: 'late.test' });
    await receive([request(plan)], { gaps: [{ subject: plan.id, requests: 2 }] });
    world.clock.advance(1);
    const answer = await world.must(sessionOf(plan.accountId), DELETE, { plan: plan.id });
    expect(answer).toEqual({ residentialPlanDeleteRequestLog: { requestLog: { mode: 'WHOLE', kept: 0 } } });
    await receive([late, request(plan, { host: 'new.test' })]);
    expect(await logOf(plan)).toMatchObject({ kept: 1, missed: 0, entries: [{ host: 'new.test' }] });
    expect(await world.events(plan.id, 'residential_plan.request_log_deleted')).toHaveLength(1);
  });

  test('of a plan without a log is nothing', async () => {
    const plan = await world.plan('acct_none');
    await world.must(sessionOf(plan.accountId), DELETE, { plan: plan.id });
    expect(await logOf(plan)).toEqual({ mode: 'OFF', kept: 0, missed: 0, entries: [] });
  });
});
