// The log of single requests: what a node tells of them, of which plans, and what it does when nobody takes it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fail } from '#platform/errors.ts';
import { silentLog } from '#platform/log.ts';
import { TestClock } from '#platform/clock.ts';
import type { PlanFacts } from '../../edge/protocol/control-plane.ts';
import { EdgeCallRefused } from '../../edge/protocol/client.ts';
import { MAX_LOGGED_REQUESTS, type LoggedRequest, type RequestBatch } from '../../edge/protocol/request-log.ts';
import { PlanMeter } from '../../edge/plan-meter.ts';
import { RequestLog } from '../../edge/request-log.ts';
import { sessionOf } from '../kit/platform.ts';
import { PASSWORD, fingerprint } from './memory-ledger.ts';
import { startPlatformWorld } from './platform-world.ts';
import { type Target, type World, PUBLIC, connectHead, openClient, proxyLine, startEcho, startHttpTarget, startWorld } from './world.ts';

const OK = 'HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello';

describe('at the node', () => {
  let world: World;
  let closing: Target[];
  beforeEach(async () => {
    closing = [];
    world = await startWorld({ requestsEveryMs: 5 });
  });
  afterEach(async () => {
    await world.close();
    for (const target of closing) await target.close();
  });

  const at = (target: Target, host = 'shop.example'): string => {
    closing.push(target);
    world.route(host, [PUBLIC], target.endpoint);
    return `${host}:${target.endpoint.port}`;
  };
  /** Waits until so many have been told. */
  const told = async (count: number): Promise<LoggedRequest[]> => {
    for (;;) {
      const requests = world.ledger.batches.flatMap((batch) => batch.requests);
      if (requests.length >= count) return requests;
      await new Promise((done) => setTimeout(done, 5));
    }
  };

  test('a plain request says where it went, what was answered, its bytes, place and session', async () => {
    const plan = world.ledger.plan({ requestLog: 'WHOLE' });
    const authority = at(await startHttpTarget(OK));
    const client = await world.client();
    client.write(
      `GET http://${authority.replace('shop', 'Shop')}/secret?x=1 HTTP/1.1\r\n${proxyLine(`${plan.username}-country-de-session-00000007`)}\r\n`,
    );
    await client.until('hello');
    const [request] = await told(1);
    expect(request).toMatchObject({
      subject: plan.planId,
      host: 'shop.example',
      port: Number(authority.split(':')[1]),
      status: 404,
      country: 'de',
      session: '00000007',
      down: OK.length,
    });
    expect(request?.error).toBeUndefined();
    expect(JSON.stringify(world.ledger.batches)).not.toContain('secret');
    await world.edge.plans.leases.flush();
    expect(BigInt((request?.up ?? 0) + (request?.down ?? 0))).toBe(plan.usedBytes);
  });

  test('a tunnel is told once it is over, with its bytes both ways', async () => {
    const plan = world.ledger.plan({ requestLog: 'WHOLE' });
    const authority = at(await startEcho());
    const client = await world.client();
    client.write(connectHead(authority, plan.username));
    await client.until('\r\n\r\n');
    client.skip();
    client.write('hello');
    await client.until('hello');
    expect(world.ledger.batches).toEqual([]);
    client.socket.end();
    expect(await told(1)).toMatchObject([{ host: 'shop.example', status: 200, up: 5, down: 5, country: 'de' }]);
  });

  test('refusals are told with their codes, before and after the log-in', async () => {
    const plan = world.ledger.plan({ requestLog: 'WHOLE', oldPasswords: ['of-before'] });
    const refused = async (head: string) =>
      (await openClient(world.port).then((client) => (client.write(head), client.ended()))).toString();
    expect(await refused(connectHead('shop.example:25', plan.username))).toContain('403');
    expect(await refused(connectHead('nowhere.example:443', plan.username))).toContain('502');
    expect(await refused(connectHead('shop.example:443', `${plan.username}-country-xx`))).toContain('400');
    expect(await refused(connectHead('shop.example:443', plan.username, 'of-before'))).toContain('407');
    expect(await refused(connectHead('shop.example:443', plan.username, 'wrong'))).toContain('407');
    const requests = await told(5);
    expect(requests.map(({ host, status, error }) => [host, status, error])).toEqual([
      ['shop.example', 403, 'target_port_forbidden'],
      ['nowhere.example', 502, 'target_name_unknown'],
      ['shop.example', 400, 'proxy_username_invalid'],
      ['', 407, 'proxy_password_replaced'],
      ['', 407, 'proxy_credentials_wrong'],
    ]);
  });

  test('SOCKS5 is told as CONNECT is, and a tunnel that is cut says why', async () => {
    const plan = world.ledger.plan({ requestLog: 'WHOLE' });
    const target = await startEcho();
    at(target);
    const client = await world.client();
    const host = 'shop.example';
    client.write(
      Buffer.concat([
        Buffer.from([5, 1, 2, 1, plan.username.length]),
        Buffer.from(plan.username),
        Buffer.from([PASSWORD.length]),
        Buffer.from(PASSWORD),
        Buffer.from([5, 1, 0, 3, host.length]),
        Buffer.from(host),
        Buffer.from([target.endpoint.port >> 8, target.endpoint.port & 255]),
      ]),
    );
    await client.until(14);
    world.ledger.reset(plan, 'another-password');
    expect(await told(1)).toMatchObject([{ host, port: target.endpoint.port, status: 200, error: 'proxy_credentials_wrong' }]);
  });

  test('of a plan without a log nothing is told, and none that is switched off meanwhile', async () => {
    const plan = world.ledger.plan();
    const authority = at(await startEcho());
    const open = async () => {
      const client = await world.client();
      client.write(connectHead(authority, plan.username));
      await client.until('\r\n\r\n');
      return client;
    };
    (await open()).socket.destroy();
    world.ledger.change(plan, { requestLog: 'WHOLE' });
    const during = await open();
    world.ledger.change(plan, { requestLog: undefined });
    // Its facts are asked for again by the next log-in.
    (await open()).socket.destroy();
    during.socket.destroy();
    while (world.edge.figures().tunnels > 0) await new Promise((done) => setTimeout(done, 5));
    world.ledger.change(plan, { requestLog: 'WHOLE' });
    const last = await open();
    last.write('x');
    await last.until('x');
    last.socket.end();
    expect(await told(1)).toMatchObject([{ up: 1 }]);
    expect(world.ledger.batches.flatMap(({ requests }) => requests)).toHaveLength(1);
  });
});

describe('the buffer', () => {
  const facts = (requestLog: PlanFacts['requestLog'], planId = 'plan_1'): PlanFacts => ({
    planId,
    username: 'user1',
    epoch: 1,
    fingerprint: fingerprint(PASSWORD),
    oldFingerprints: [],
    product: 'PREMIUM',
    sessionMinutes: [],
    status: 'ACTIVE',
    requestLog,
  });
  const meterOf = (requestLog: PlanFacts['requestLog'], planId?: string) =>
    new PlanMeter(facts(requestLog, planId), { low: () => {} }, () => 0, { up: 0, down: 0 });
  const start = (logRequests: (batch: RequestBatch) => Promise<void>, random = () => 0) =>
    new RequestLog({
      controlPlane: { logRequests },
      log: silentLog,
      clock: new TestClock(),
      monotonic: () => 0,
      random,
      everyMs: 1_000_000,
    });
  const write = (log: RequestLog, meter: PlanMeter, count: number, error = false) => {
    for (let index = 0; index < count; index++) {
      const record = log.begin(meter, `${index}.test`, 443);
      if (error) record?.failed(fail('target_refused'));
      record?.end();
      record?.end();
    }
  };

  test('sampled, one in ten of those that went well is told, and all that failed', async () => {
    const batches: RequestBatch[] = [];
    let drawn = 0;
    const log = start(
      async (batch) => void batches.push(batch),
      () => (drawn++ % 100) / 100,
    );
    const meter = meterOf('SAMPLED');
    write(log, meter, 100);
    write(log, meter, 7, true);
    await log.close();
    expect(batches.flatMap(({ requests }) => requests.map(({ error }) => error ?? 'fine'))).toEqual([
      ...Array.from({ length: 10 }, () => 'fine'),
      ...Array.from({ length: 7 }, () => 'target_refused'),
    ]);
  });

  test('is bounded: what finds no room is a gap, of its own plan alone', async () => {
    const batches: RequestBatch[] = [];
    const log = start(async (batch) => void batches.push(batch));
    write(log, meterOf('WHOLE'), 6_000);
    write(log, meterOf('WHOLE', 'plan_2'), 10);
    await log.close();
    const requests = batches.flatMap((batch) => batch.requests);
    expect(batches.every((batch) => batch.requests.length <= MAX_LOGGED_REQUESTS)).toBe(true);
    expect(requests.filter(({ subject }) => subject === 'plan_2')).toHaveLength(10);
    const gaps = batches.flatMap((batch) => batch.gaps);
    expect(gaps).toEqual([{ subject: 'plan_1', requests: 6_010 - requests.length }]);
  });

  test('sends a batch again under the same id while the platform is away, and not one that it will never take', async () => {
    const ids: string[] = [];
    const answers = [new Error('away'), new EdgeCallRefused(503), new EdgeCallRefused(401), new EdgeCallRefused(404)];
    const log = start(async ({ id, gaps }) => {
      ids.push(`${id.split('-').at(-1)} ${gaps.length}`);
      const answer = answers.shift();
      if (answer) throw answer;
    });
    write(log, meterOf('WHOLE'), 1);
    for (let times = 0; times < 3; times++) await log.close();
    expect(ids).toEqual(['1 0', '1 0', '1 0']);
    await log.close();
    expect(ids.slice(3)).toEqual(['1 0', '2 1']);
  });
});

describe('on the real platform', () => {
  let world: Awaited<ReturnType<typeof startPlatformWorld>>;
  beforeAll(async () => {
    world = await startPlatformWorld();
  });
  afterAll(() => world?.close());

  test('the owner switches it on, and reads over HTTP and in the process what the nodes have told', async () => {
    const { residential } = world;
    const plan = await residential.plan('acct_1');
    const owner = sessionOf('acct_1');
    const set = (mode: string) =>
      residential.must(owner, `mutation ($id: ID!) { residentialPlanSetRequestLog(id: $id, mode: ${mode}) { id } }`, { id: plan.id });
    const read = async () =>
      (
        await residential.must<{
          residentialPlan: { requestLog: { entries: { host: string; status: number; error: { hint: string } | null }[] } };
        }>(owner, 'query ($id: ID!) { residentialPlan(id: $id) { requestLog { entries { host status error { hint } } } } }', {
          id: plan.id,
        })
      ).residentialPlan.requestLog.entries;
    const options = { requestsEveryMs: 5, clock: residential.clock };
    const edges = [await world.localEdge('local', options), await world.remoteEdge('remote', options)];
    await set('WHOLE');
    for (const edge of edges) {
      const client = await openClient(edge.ports[0] as number);
      client.write(connectHead('10.0.0.1:443', plan.username, world.passwordOf(plan)));
      expect((await client.ended()).toString()).toContain('403');
    }
    let entries = await read();
    while (entries.length < 2) {
      await new Promise((done) => setTimeout(done, 10));
      entries = await read();
    }
    expect(entries).toEqual(
      Array.from({ length: 2 }, () => ({ host: '10.0.0.1', status: 403, error: { hint: expect.stringContaining('public') } })),
    );
  });
});
