import { describe, expect, test } from 'vitest';
import { at, keep, withTargets, world } from './targets.ts';
import { PUBLIC, connectHead, startEcho, startTarget } from './world.ts';

withTargets();

describe('CONNECT', () => {
  test('carries bytes both ways and counts both directions to the byte', async () => {
    const plan = world.ledger.plan();
    const authority = at(keep(await startEcho()));
    const client = await world.client();
    client.write(connectHead(authority, `${plan.username}-country-de`));
    expect((await client.until('\r\n\r\n')).toString()).toMatch(/^HTTP\/1\.1 200 /);
    client.skip();
    client.write('x'.repeat(100_000));
    expect((await client.until(100_000)).length).toBe(100_000);
    await world.edge.plans.leases.flush();
    expect(plan.usedBytes).toBe(200_000n);
    expect([...world.ledger.breakdown(plan)]).toEqual([['de||target.example|127.0.0.1', { up: 100_000n, down: 100_000n }]]);
  });

  test('takes the head in single bytes, and bytes of the tunnel in the same packet as the head', async () => {
    const plan = world.ledger.plan();
    const authority = at(keep(await startEcho()));
    const client = await world.client();
    const head = connectHead(authority, plan.username);
    for (const byte of head.slice(0, -1)) client.write(byte);
    client.write(`${head.slice(-1)}hello`);
    expect((await client.until('hello')).toString()).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\nhello$/);
  });

  test('ends each direction separately', async () => {
    const plan = world.ledger.plan();
    const target = keep(
      await startTarget((socket) => {
        let text = '';
        socket.on('data', (bytes) => (text += bytes.toString()));
        socket.on('end', () => socket.end(`got ${text}`));
      }),
    );
    const client = await world.client();
    client.write(connectHead(at(target), plan.username));
    await client.until('\r\n\r\n');
    client.socket.end('question');
    expect((await client.ended()).toString()).toContain('got question');
    expect(world.edge.figures().tunnels).toBe(0);
  });

  test('delivers everything of a target that closes at once to a customer that reads late', async () => {
    const plan = world.ledger.plan();
    const length = 20_000_000;
    const target = keep(await startTarget((socket) => socket.end(Buffer.alloc(length, 7))));
    const client = await world.client();
    client.write(connectHead(at(target), plan.username));
    client.skip((await client.until('\r\n\r\n')).indexOf('\r\n\r\n') + 4);
    client.socket.pause();
    client.socket.end();
    await new Promise((done) => setImmediate(done));
    client.socket.resume();
    expect((await client.ended()).length).toBe(length);
    await world.edge.plans.leases.flush();
    expect(plan.usedBytes).toBe(BigInt(length));
  });

  test('407 without credentials, with wrong ones, and for a name that nobody has; nothing leaves', async () => {
    const plan = world.ledger.plan();
    const authority = at(keep(await startEcho()));
    for (const [head, code] of [
      [`CONNECT ${authority} HTTP/1.1\r\n\r\n`, 'proxy_credentials_required'],
      [connectHead(authority, plan.username, 'wrong'), 'proxy_credentials_wrong'],
      [connectHead(authority, 'nobody'), 'proxy_credentials_wrong'],
      [connectHead(authority, 'NO BODY'), 'proxy_credentials_wrong'],
    ] as const) {
      const client = await world.client();
      client.write(head);
      const answer = (await client.ended()).toString();
      expect(answer).toMatch(/^HTTP\/1\.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic /);
      expect(answer).toContain(`Proxy-Status: edge; error=http_request_denied; details="${code}"`);
      expect(answer).toContain(`X-Proxy-Error: ${code}`);
    }
    expect(world.dialled).toEqual([]);
    expect(world.resolved).toEqual([]);
  });

  test.each([
    ['-planet-mars', 'part that is not known'],
    ['-country-de-country-fr', 'more than once'],
    ['-country-zz', 'not known'],
    ['-city-berlin', 'need a single country'],
    ['-country-eu-state-bavaria', 'need a single country'],
    ['-country-de-session-12345678-sessionttl-31', 'must be one of'],
    ['-country-de_fr-not-fr', 'names fr and excludes it'],
    ['-country-de_eu', 'any and eu stand alone'],
    ['-turn-1', 'needs a session'],
    ['-country-de-sessionttl-30', 'needs a session'],
    ['-country', 'not possible'],
  ])('400 for the username part %s', async (parts, sentence) => {
    const plan = world.ledger.plan();
    const client = await world.client();
    client.write(connectHead(at(keep(await startEcho())), plan.username + parts));
    const answer = (await client.ended()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(sentence);
    expect(world.dialled).toEqual([]);
  });

  test('402 for a package that is used up, 429 with Retry-After for a day that is', async () => {
    const authority = at(keep(await startEcho()));
    const used = world.ledger.plan({ totalBytes: 5n, usedBytes: 5n });
    const limited = world.ledger.plan({ dailyLimitBytes: 5n, usedTodayBytes: 5n });
    const first = await world.client();
    first.write(connectHead(authority, used.username));
    expect((await first.ended()).toString()).toMatch(/^HTTP\/1\.1 402 [^]*details="bandwidth_used_up"/);
    const second = await world.client();
    second.write(connectHead(authority, limited.username));
    expect((await second.ended()).toString()).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: 3600\r\n/);
    expect(world.dialled).toEqual([]);
  });

  test('502 for a target that refuses and for a name that does not resolve', async () => {
    const plan = world.ledger.plan();
    world.route('closed.example', [PUBLIC], { address: '127.0.0.1', port: 9 });
    const first = await world.client();
    first.write(connectHead('closed.example:9', plan.username));
    expect((await first.ended()).toString()).toMatch(/^HTTP\/1\.1 502 [^]*error=connection_refused/);
    const second = await world.client();
    second.write(connectHead('nowhere.example:80', plan.username));
    expect((await second.ended()).toString()).toMatch(/^HTTP\/1\.1 502 [^]*error=dns_error/);
  });

  test('503 without an exit', async () => {
    const plan = world.ledger.plan();
    const client = await world.client();
    client.write(connectHead(at(keep(await startEcho())), `${plan.username}-country-jp`));
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 503 [^]*details="exit_unavailable"/);
  });

  test('431 for a head that is too large, and 10 seconds for one that does not come', async () => {
    const client = await world.client();
    client.write(`CONNECT a.example:80 HTTP/1.1\r\nX: ${'y'.repeat(17_000)}`);
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 431 /);

    const hurried = await world.another({ limits: { headMs: 20 } });
    for (const start of ['', 'CONNECT a.exa', '\x05\x01', '\x05\x01\x02\x01\x04us']) {
      const slow = await world.client(hurried.ports[0]);
      if (start) slow.write(Buffer.from(start, 'latin1'));
      expect((await slow.ended()).toString('latin1')).toBe(start.startsWith('\x05\x01\x02') ? '\x05\x02' : '');
    }
  });
});
