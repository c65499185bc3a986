import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAttempts } from '../../edge/attempts.ts';
import { PASSWORD, fingerprint } from './memory-ledger.ts';
import { PUBLIC, type Target, type World, connectHead, openClient, startEcho, startWorld } from './world.ts';
import { freePorts } from '../kit/ports.ts';

/** Attempts with a time controlled by the test: delays are recorded and end at once. */
function attemptsAt() {
  const time = { now: 0 };
  const slept: number[] = [];
  const attempts = createAttempts(
    () => time.now,
    async (milliseconds) => void slept.push(milliseconds),
  );
  /** The seconds to wait in the answer to a wrong log-in; 0: none. */
  const wrong = async (address: string, username: string): Promise<number> => {
    try {
      return await attempts.refuse(address, username);
    } catch (error) {
      return (error as { meta: { retry_after_seconds?: number } }).meta.retry_after_seconds ?? 0;
    }
  };
  const repeated = async (count: number, address: string, username: string) => {
    const waits: number[] = [];
    for (let index = 0; index < count; index++) waits.push(await wrong(address, username));
    return waits;
  };
  return { time, slept, attempts, wrong, repeated };
}

describe('wrong log-ins', () => {
  test('of one address with one name are slowed after twenty, twice as long with each further one, until ten minutes without any', async () => {
    const { time, slept, wrong, repeated } = attemptsAt();
    expect(new Set(await repeated(20, '192.0.2.1', 'user'))).toEqual(new Set([0]));
    expect(await repeated(11, '192.0.2.1', 'user')).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    // No answer is delayed for longer than the time for a handshake.
    expect(slept).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000]);
    expect(await wrong('192.0.2.2', 'user')).toBe(0);
    expect(await wrong('192.0.2.1', 'other')).toBe(0);
    time.now += 600_000;
    expect(await wrong('192.0.2.1', 'user')).toBe(0);
  });

  test('of an IPv6 network count together, whatever address of the /64 they come from, and a /48 has a limit of its own', async () => {
    const { wrong } = attemptsAt();
    const ofOneNetwork = await Promise.all(Array.from({ length: 22 }, (_, host) => wrong(`2001:db8:1:1::${host.toString(16)}`, 'user')));
    expect(ofOneNetwork.slice(19)).toEqual([0, 1, 2]);
    expect(await wrong('2001:db8:1:2::1', 'user')).toBe(0);
    const ofOneSite: number[] = [];
    for (let network = 0; network < 2_001; network++) ofOneSite.push(await wrong(`2001:db8:2:${network.toString(16)}::1`, 'user'));
    expect(ofOneSite.slice(1_999)).toEqual([0, 1]);
    expect(await wrong('2001:db8:3::1', 'user')).toBe(0);
  });

  test('with a different name each time are slowed too, after two hundred', async () => {
    const { wrong } = attemptsAt();
    const waits: number[] = [];
    for (let name = 0; name < 201; name++) waits.push(await wrong('192.0.2.1', `user${name}`));
    expect(waits.slice(199)).toEqual([0, 1]);
  });

  test('delay only so many answers of one address that its right log-ins still get in', async () => {
    const open = Promise.withResolvers<void>();
    const attempts = createAttempts(
      () => 0,
      () => open.promise,
    );
    const answered: string[] = [];
    const guess = () =>
      Promise.resolve()
        .then(() => attempts.refuse('192.0.2.1', 'user'))
        .catch(({ code }: { code: string }) => void answered.push(code));
    const guesses = Array.from({ length: 20 + 256 + 5 }, guess);
    await new Promise(setImmediate);
    expect(answered.filter((code) => code === 'too_many_attempts')).toHaveLength(5);
    open.resolve();
    await Promise.all(guesses);
    expect(answered).toHaveLength(20 + 256 + 5);
  });
});

describe('right credentials', () => {
  let world: World;
  let echo: Target;
  beforeEach(async () => {
    world = await startWorld({ attempts: createAttempts(undefined, () => Promise.resolve()) });
    echo = await startEcho();
    world.route('target.example', [PUBLIC], echo.endpoint);
  });
  afterEach(async () => {
    await echo.close();
    await world.close();
  });

  /** The status and the code of one CONNECT. */
  async function statusOf(username: string, password: string, port = world.port, host = '127.0.0.1'): Promise<string> {
    const client = await openClient(port, host);
    client.write(connectHead(`target.example:${echo.endpoint.port}`, username, password));
    const head = String(await client.until('\r\n\r\n'));
    client.socket.destroy();
    return [/^HTTP\/1\.1 (\d+)/.exec(head)?.[1], /X-Proxy-Error: (\S+)/.exec(head)?.[1]].filter(Boolean).join(' ');
  }
  const repeat = async (count: number, ask: () => Promise<string>) => {
    const answers: string[] = [];
    for (let index = 0; index < count; index++) answers.push(await ask());
    return answers;
  };

  test('pass at once, however often wrong ones came from the same address: of the same plan, of another, of a static address', async () => {
    const plan = world.ledger.plan();
    const other = world.ledger.plan();
    const port = await freePorts(1);
    world.ledger.setStatic('static_1', {
      planId: 'static_1',
      username: 'isp-user',
      fingerprint: fingerprint('static-secret'),
      open: true,
      allowedClients: [],
      endpoints: [{ address: '127.0.0.31', port }],
    });
    await world.edge.staticLines.settled();
    const wrong = await repeat(30, () => statusOf(plan.username, 'a-wrong-password'));
    expect(wrong.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => '407 proxy_credentials_wrong'));
    expect(wrong.slice(20)).toEqual(Array.from({ length: 10 }, () => '429 too_many_attempts'));
    await repeat(30, () => statusOf('isp-user', 'a-wrong-password', port, '127.0.0.31'));
    expect(await statusOf(plan.username, PASSWORD)).toBe('200');
    expect(await statusOf(other.username, PASSWORD)).toBe('200');
    expect(await statusOf('isp-user', 'static-secret', port, '127.0.0.31')).toBe('200');
    // A right password does not reset the count: a customer of one plan may guess at another's.
    expect(await statusOf(plan.username, 'a-wrong-password')).toBe('429 too_many_attempts');
  });

  test('of before a reset are told to be old, never slowed, and never counted as guesses', async () => {
    const plan = world.ledger.plan();
    world.ledger.reset(plan, 'a-new-password');
    const old = await repeat(60, () => statusOf(plan.username, PASSWORD));
    expect(new Set(old)).toEqual(new Set(['407 proxy_password_replaced']));
    expect(await statusOf(plan.username, 'a-wrong-password')).toBe('407 proxy_credentials_wrong');
    expect(await statusOf(plan.username, 'a-new-password')).toBe('200');
  });

  test('that are missing are asked for, and cost the address nothing', async () => {
    const plan = world.ledger.plan();
    const bare = async () => {
      const client = await openClient(world.port);
      client.write('CONNECT target.example:80 HTTP/1.1\r\n\r\n');
      return String(await client.ended()).split('\r\n', 1)[0] ?? '';
    };
    expect(new Set(await repeat(250, bare))).toEqual(new Set(['HTTP/1.1 407 Proxy Authentication Required']));
    expect(await statusOf(plan.username, 'a-wrong-password')).toBe('407 proxy_credentials_wrong');
  });

  test('of a plan that this node does not know yet pass beside a flood of names that nobody has', async () => {
    const plan = world.ledger.plan();
    const guesses = Array.from({ length: 300 }, (_, index) => statusOf(`nobody${index}`, 'guess'));
    expect(await statusOf(plan.username, PASSWORD)).toBe('200');
    expect(new Set(await Promise.all(guesses))).toEqual(new Set(['407 proxy_credentials_wrong', '429 too_many_attempts']));
  });
});
