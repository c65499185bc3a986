// What a node logs: its own failures, and none of its customers' secrets.
import { expect, test } from 'vitest';
import type { Log } from '#platform/log.ts';
import { PASSWORD } from './memory-ledger.ts';
import { PUBLIC, basic, connectHead, localExit, proxyLine, startEcho, startWorld } from './world.ts';

test('the log of a node holds no password, no path and no target of a request, whatever goes wrong', async () => {
  const lines: string[] = [];
  const note = (...given: unknown[]) =>
    void lines.push(JSON.stringify(given, (_, value: unknown) => (value instanceof Error ? `${value} ${value.stack}` : value)));
  const log = { debug: note, info: note, warn: note, error: note, child: () => log } as unknown as Log;
  // The second exit has an address that is not on this machine, so that dialling from it fails.
  const world = await startWorld({
    log,
    exits: [localExit(11), localExit(12, { address: '192.0.2.77' } as object)],
    limits: { tickMs: 20, leaseWaitMs: 50 },
  });
  const echo = await startEcho();
  world.route('target.example', [PUBLIC], echo.endpoint);
  const plan = world.ledger.plan();
  const authority = `target.example:${echo.endpoint.port}`;
  const say = async (text: string) => {
    const client = await world.client();
    client.write(text);
    await Promise.race([client.ended(), new Promise((done) => setTimeout(done, 100))]);
    client.socket.destroy();
  };
  const path = (who: string) =>
    `GET http://${authority}/hidden/path?token=s3cret HTTP/1.1\r\nHost: ${authority}\r\nCookie: c00kie=1\r\n${who}\r\n`;
  const everything = async () => {
    await say(connectHead(authority, plan.username));
    await say(path(proxyLine(plan.username)));
    await say(path(proxyLine(plan.username, 'wr0ng-guess')));
    await say(path(proxyLine(`${plan.username}-planet-mars`)));
    await say(connectHead('10.1.2.3:80', plan.username));
    await say(`GET /hidden/path HTTP/1.1\r\nBad Header\r\n${proxyLine(plan.username)}\r\n`);
    await say(path(''));
  };
  for (let round = 0; round < 4; round++) await everything();
  world.ledger.cutOff();
  await everything();

  expect(lines.join('\n')).toMatch(/exit is taken out[^]*the platform is away|the platform is away[^]*exit is taken out/);
  for (const secret of [PASSWORD, 'wr0ng-guess', basic(plan.username).slice(6), 'hidden', 's3cret', 'c00kie', 'target.example', '10.1.2.3'])
    expect(lines.join('\n')).not.toContain(secret);
  await world.close();
  await echo.close();
});
