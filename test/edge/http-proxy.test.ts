import { describe, expect, test } from 'vitest';
import { at, keep, withTargets, world } from './targets.ts';
import { proxyLine, startHttpTarget, startTarget } from './world.ts';

withTargets();

describe('requests in absolute form', () => {
  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nVia: 1.1 somewhere\r\nX-Kept: yes\r\n\r\nhello';

  test('forwards one request per connection, and tells the target nothing of the customer', async () => {
    const plan = world.ledger.plan();
    const target = keep(await startHttpTarget(OK));
    const authority = at(target);
    const client = await world.client();
    client.write(
      `GET http://${authority}/a/../b?c=%41 HTTP/1.1\r\nHost: other.example\r\n${proxyLine(plan.username)}Proxy-Connection: keep-alive\r\nConnection: X-Gone\r\nX-Gone: 1\r\n` +
        'X-Forwarded-For: 1.2.3.4\r\nForwarded: for=1.2.3.4\r\nVia: 1.1 me\r\nX-Real-IP: 1.2.3.4\r\nUpgrade: h2c\r\nAccept: */*\r\n\r\n',
    );
    const answer = (await client.until('hello')).toString();
    expect(answer).toBe('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Kept: yes\r\n\r\nhello');
    expect(target.requests).toEqual([`GET /a/../b?c=%41 HTTP/1.1\r\nHost: ${authority}\r\nAccept: */*\r\nConnection: close\r\n\r\n`]);
    await world.edge.plans.leases.flush();
    expect(plan.usedBytes).toBe(BigInt(target.requests[0]?.length ?? 0) + BigInt(answer.length));
  });

  test("keeps the customer's connection, checks the credentials of every request, and never shares a connection to the target", async () => {
    const plan = world.ledger.plan();
    const target = keep(await startHttpTarget(OK));
    const authority = at(target);
    const client = await world.client();
    const request = `GET http://${authority}/ HTTP/1.1\r\n${proxyLine(plan.username)}\r\n`;
    for (let count = 0; count < 3; count++) {
      client.write(request);
      await client.until('hello');
      client.skip();
    }
    client.write(`${request}GET http://${authority}/secret HTTP/1.1\r\n\r\n`);
    const answers = (await client.ended()).toString();
    expect(answers).toMatch(/^HTTP\/1\.1 200 [^]*helloHTTP\/1\.1 407 /);
    expect(target.sockets).toHaveLength(4);
    expect(target.requests.join()).not.toContain('secret');
  });

  test('passes nothing of an answer whose body is not sound from the start', async () => {
    const plan = world.ledger.plan();
    const target = keep(await startHttpTarget('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n'));
    const client = await world.client();
    client.write(`GET http://${at(target)}/ HTTP/1.1\r\n${proxyLine(plan.username)}\r\n`);
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 502 [^]*details="target_response_invalid"/);
  });

  test('passes chunked bodies both ways as they are framed', async () => {
    const plan = world.ledger.plan();
    const body = '5\r\nhello\r\n0\r\n\r\n';
    const target = keep(
      await startHttpTarget((request) =>
        request.endsWith(body) ? `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nwiki\r\n0\r\nT: 1\r\n\r\n` : undefined,
      ),
    );
    const client = await world.client();
    client.write(`POST http://${at(target)}/ HTTP/1.1\r\n${proxyLine(plan.username)}Transfer-Encoding: chunked\r\n\r\n`);
    for (const byte of body) client.write(byte);
    expect((await client.until('T: 1\r\n\r\n')).toString()).toBe(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nwiki\r\n0\r\nT: 1\r\n\r\n',
    );
    expect(target.requests[0]).toContain(`Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body}`);
  });

  test("an answer that ends with its connection ends the customer's too; one that breaks off is not made whole", async () => {
    const plan = world.ledger.plan();
    const open = keep(await startHttpTarget('HTTP/1.1 200 OK\r\n\r\nall of it'));
    const first = await world.client();
    first.write(`GET http://${at(open, 'open.example')}/ HTTP/1.1\r\n${proxyLine(plan.username)}\r\n`);
    expect((await first.ended()).toString()).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it');
    const broken = keep(await startHttpTarget('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf'));
    const second = await world.client();
    second.write(`GET http://${at(broken, 'broken.example')}/ HTTP/1.1\r\n${proxyLine(plan.username)}\r\n`);
    expect((await second.ended()).toString()).toBe('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf');
  });

  test('answers to HEAD, 204 and 304 have no body, and 100 Continue comes through before the answer', async () => {
    const plan = world.ledger.plan();
    const cases = [
      ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n'],
      ['GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
      ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n'],
      ['GET', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ] as const;
    for (const [index, [method, answer]] of cases.entries()) {
      const client = await world.client();
      client.write(
        `${method} http://${at(keep(await startHttpTarget(answer)), `t${index}.example`)}/ HTTP/1.1\r\n${proxyLine(plan.username)}\r\n`,
      );
      expect((await client.until(answer.length)).toString()).toBe(answer);
    }
  });

  test('an answer whose lines end with bare line feeds, whole or in part, comes through as it ought to be written', async () => {
    const plan = world.ledger.plan();
    for (const [index, answer] of [
      'HTTP/1.0 200 OK\nContent-Length: 5\nX-Old: yes\n\nhello',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\nX-Old: yes\r\n\nhello',
      'HTTP/1.1 200 OK\nContent-Length: 5\nX-Old: yes\n\r\nhello',
    ].entries()) {
      const target = at(keep(await startHttpTarget(answer)), `lf${index}.example`);
      const client = await world.client();
      client.write(`GET http://${target}/ HTTP/1.1\r\nConnection: close\r\n${proxyLine(plan.username)}\r\n`);
      expect((await client.ended()).toString()).toBe(
        'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Old: yes\r\nConnection: close\r\n\r\nhello',
      );
    }
  });

  test('a WebSocket without CONNECT is opened as the target agrees to it, and its bytes count both ways', async () => {
    const plan = world.ledger.plan();
    let head = '';
    const target = keep(
      await startTarget((socket) => {
        socket.once('data', (bytes) => {
          head = bytes.toString();
          socket.write(
            'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\nfirst',
          );
          socket.pipe(socket);
        });
      }),
    );
    const client = await world.client();
    const asked = 'Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n';
    client.write(`GET http://${at(target)}/live HTTP/1.1\r\n${asked}${proxyLine(plan.username)}\r\n`);
    const answer = (await client.until('first')).toString();
    expect(answer).toBe(
      'HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst',
    );
    expect(head).toMatch(/^GET \/live HTTP\/1\.1\r\n[^]*\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n$/);
    client.skip();
    client.write('x'.repeat(1_000));
    await client.until(1_000);
    client.socket.end();
    await client.ended();
    await world.edge.plans.leases.flush();
    expect(Number(plan.usedBytes)).toBe(head.length + 1_000 + answer.length + 1_000);
  });

  test('a target that refuses a WebSocket answers as to any request', async () => {
    const plan = world.ledger.plan();
    const target = at(keep(await startHttpTarget('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno')));
    const client = await world.client();
    client.write(`GET http://${target}/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${proxyLine(plan.username)}\r\n`);
    expect((await client.until('no')).toString()).toMatch(/^HTTP\/1\.1 426 /);
  });

  test('502 for a target that is no HTTP server, or that answers nothing', async () => {
    const plan = world.ledger.plan();
    for (const [index, answer] of [
      'SSH-2.0-OpenSSH\r\n\r\n',
      '',
      'HTTP/1.1 101 Switching Protocols\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
    ].entries()) {
      const client = await world.client();
      client.write(
        `GET http://${at(keep(await startHttpTarget(answer)), `t${index}.example`)}/ HTTP/1.1\r\n${proxyLine(plan.username)}\r\n`,
      );
      expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 502 [^]*details="target_response_invalid"/);
    }
  });

  const smuggling: [string, string][] = [
    ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['the same length twice', 'Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello'],
    ['a list of lengths', 'Content-Length: 5, 5\r\n\r\nhello'],
    ['a signed length', 'Content-Length: +5\r\n\r\nhello'],
    ['a length in hexadecimal', 'Content-Length: 0x5\r\n\r\nhello'],
    ['another coding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['two codings', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['the coding twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'Content-Length : 5\r\n\r\nhello'],
    ['a folded header', 'X: a\r\n b\r\n\r\n'],
    ['a bare line feed', 'X: a\nContent-Length: 5\r\n\r\nhello'],
    ['a bare carriage return', 'X: a\rContent-Length: 5\r\n\r\nhello'],
    ['a null', 'X: a\0b\r\n\r\n'],
    ['a header without a name', ': a\r\n\r\n'],
    ['a chunk without a size', 'Transfer-Encoding: chunked\r\n\r\n\r\nhello\r\n0\r\n\r\n'],
    ['a chunk with an extension', 'Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', 'Transfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n'],
    ['a chunk size with a sign', 'Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n'],
    ['a chunk ended by a line feed', 'Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n'],
    ['a trailer', 'Transfer-Encoding: chunked\r\n\r\n0\r\nHost: other\r\n\r\n'],
    ['two hosts', 'Host: a\r\nHost: b\r\n\r\n'],
    ['two credentials', `${proxyLine('user1')}\r\n`],
  ];
  test.each(smuggling)('400 for %s', async (_, rest) => {
    const plan = world.ledger.plan();
    const target = keep(await startHttpTarget(() => undefined));
    const client = await world.client();
    client.write(Buffer.from(`POST http://${at(target)}/ HTTP/1.1\r\n${proxyLine(plan.username)}${rest}`, 'latin1'));
    expect((await client.ended()).toString()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    // A request with a bad head never reaches the target; of one with a bad body the target gets a part that it cannot take for a whole request.
    const seen = target.requests.join('');
    expect(seen === '' || (seen.includes('chunked') && !seen.includes('0\r\n\r\n'))).toBe(true);
  });

  test.each([
    ['GET / HTTP/1.1', 'it takes CONNECT or a whole URL'],
    ['GET https://target.example/ HTTP/1.1', 'takes CONNECT'],
    ['GET ftp://target.example/ HTTP/1.1', 'it takes CONNECT or a whole URL'],
    ['GET http://user@target.example/ HTTP/1.1', 'it takes CONNECT or a whole URL'],
    ['GET http:///path HTTP/1.1', 'it takes CONNECT or a whole URL'],
    ['GET http://target.example/ HTTP/2.0', 'neither HTTP/1.1'],
    ['GET  http://target.example/ HTTP/1.1', 'first line'],
    ['G@T http://target.example/ HTTP/1.1', 'first line'],
    ['CONNECT target.example HTTP/1.1', 'host:port'],
    ['CONNECT http://target.example:80/ HTTP/1.1', 'host:port'],
    ['CONNECT target.example:443 HTTP/1.1\r\nHost: target.example\r\nHost: other.example', 'Host was given more than once'],
    ['GET http://target.example/ HTTP/0.9', 'neither HTTP/1.1'],
    ['GET http://target.example/', 'first line'],
    ['CONNECT target.example:443', 'first line'],
  ])('400 for %s', async (line, sentence) => {
    const plan = world.ledger.plan();
    const client = await world.client();
    client.write(`${line}\r\n${proxyLine(plan.username)}\r\n`);
    const answer = (await client.ended()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(sentence);
    expect(world.dialled).toEqual([]);
  });
});
