// Downloads that customers break off: how much more is charged than they read.
import { expect, test } from 'vitest';
import { MB } from '#platform/data-size.ts';
import { connectTo, readPart, startDownloads } from '../../edge/partial-download.ts';
import { PUBLIC, connectHead, startWorld } from '../../edge/world.ts';
import { say, scaled } from '../scale.ts';

const ALLOWANCE = 256 * 1_024;
const SHARES = [0.01, 0.5, 0.99];

test.each([
  ['as fast as it comes', 40 * Number(MB), Infinity],
  ['at 200 kB/s', 3 * Number(MB), 200_000],
])(
  'readers with windows of 64 kB, %s, who break off early, halfway and late: at most 256 KiB or 2 percent over each',
  async (how, size, rate) => {
    const world = await startWorld();
    const source = await startDownloads();
    world.route('source.example', [PUBLIC], source.endpoint);
    const each = Math.max(4, scaled(40));
    const over: number[] = [];
    let [read, charged] = [0, 0];
    const readers = SHARES.flatMap((share) => Array.from({ length: each }, () => ({ share, plan: world.ledger.plan(), received: 0 })));
    await Promise.all(
      readers.map(async (reader) => {
        const socket = connectTo(world.port);
        const request = connectHead(`source.example:${source.endpoint.port}`, reader.plan.username);
        reader.received = await readPart(socket, request, String(size), reader.share * size, { bytesPerSecond: rate });
        // Bytes in flight fill the buffers.
        await new Promise((done) => setTimeout(done, 300));
        socket.destroy();
      }),
    );
    await expect.poll(() => world.edge.figures().connections, { timeout: 30_000 }).toBe(0);
    await world.edge.plans.leases.flush();
    for (const { plan, received } of readers) {
      const beyond = Number(plan.usedBytes) - received;
      read += received;
      charged += Number(plan.usedBytes);
      over.push(beyond);
      expect(beyond).toBeGreaterThanOrEqual(0);
      expect(beyond).toBeLessThanOrEqual(Math.max(ALLOWANCE, received * 0.02));
    }
    say(`${over.length} aborts ${how}: read ${read}, charged ${charged} bytes, most over ${Math.max(...over)}`);
    await world.close();
    await source.close();
  },
);
