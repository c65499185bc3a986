// A feed that a stopping platform ended is opened again at once; one that broke is retried a moment later.
import { type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { followRemote } from '../../edge/remote-feed.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Milliseconds from the end of the first feed to the second. */
async function gapAfter(end: (response: ServerResponse) => void): Promise<number> {
  let endedAt = 0;
  const again = Promise.withResolvers<number>();
  const server = createServer((_, response) => {
    response.writeHead(200).write('{}\n');
    if (endedAt > 0) return again.resolve(performance.now() - endedAt);
    setTimeout(() => {
      endedAt = performance.now();
      end(response);
    }, 1_050);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const open = async (path: string, take: Parameters<typeof request>[2]) => request({ port, path, host: '127.0.0.1', agent: false }, take);
  closers.push(
    followRemote({ open: open as never }, silentLog, { changed: () => {}, beat: () => {}, lost: () => {} }),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return again.promise;
}

test('one that was ended is opened again at once', async () => {
  expect(await gapAfter((response) => response.end())).toBeLessThan(200);
});

test('one that broke is retried after a moment', async () => {
  expect(await gapAfter((response) => response.destroy())).toBeGreaterThanOrEqual(240);
});

test('a node whose key is refused asks less and less often, and without that backoff once it is known again', async () => {
  const statuses = [401, 401, 401, 401, 503, 401];
  const waits: number[] = [];
  const asked = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    const status = statuses.shift();
    if (status === undefined) asked.resolve();
    response.writeHead(status ?? 200).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const open = async (path: string, take: Parameters<typeof request>[2]) => request({ port, path, host: '127.0.0.1', agent: false }, take);
  closers.push(
    followRemote({ open: open as never }, silentLog, { changed: () => {}, beat: () => {}, lost: () => {} }, (then, milliseconds) => {
      waits.push(milliseconds);
      return setTimeout(then, 0);
    }),
    () => server.close(),
  );
  await asked.promise;
  expect(waits.slice(0, 6)).toEqual([500, 1_000, 2_000, 4_000, 250, 500]);
});
