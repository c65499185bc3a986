// Nodes in child processes that can be killed, each behind a relay that can be cut, and traffic of known size through them.
import { expect } from 'vitest';
import type { Plan } from '../../../subgraphs/residential/plans/domain/plan.ts';
import { enrolEdge } from '../../../subgraphs/residential/edges/services/edges.ts';
import type { PlatformWorld } from '../../edge/platform-world.ts';
import { type Client, type Target, connectHead, openClient, startTarget } from '../../edge/world.ts';
import { openLine } from './line.ts';

export interface CountedTarget extends Target {
  readonly received: number;
  readonly sent: number;
}

/** Sends as many bytes as the first line says, and counts both directions. */
export async function startCountedTarget(): Promise<CountedTarget> {
  const counts = { received: 0, sent: 0 };
  const served = await startTarget((socket) => {
    let asked = '';
    let begun = false;
    socket.on('data', (bytes) => {
      counts.received += bytes.length;
      if (begun) return;
      asked += bytes.toString('latin1');
      if (!asked.includes('\n')) return;
      begun = true;
      const body = Buffer.alloc(Number(asked.split('\n', 1)[0]), 1);
      counts.sent += body.length;
      socket.end(body);
    });
    socket.on('end', () => socket.end());
  });
  return Object.defineProperties(served, { received: { get: () => counts.received }, sent: { get: () => counts.sent } }) as CountedTarget;
}

interface Tally {
  received: number;
  sent: number;
  failed: number;
}
export const newTally = (): Tally => ({ received: 0, sent: 0, failed: 0 });

interface Sending {
  port: number;
  username: string;
  password: string;
  target: CountedTarget;
}

/** One tunnel with traffic of known size; arrived bytes are counted even if it breaks off. */
export async function traffic(
  { port, username, password, target }: Sending,
  upload: number,
  download: number,
  tally: Tally,
): Promise<void> {
  let client: Client;
  try {
    client = await openClient(port);
  } catch {
    tally.failed++;
    return;
  }
  client.write(connectHead(`127.0.0.1:${target.endpoint.port}`, username, password));
  try {
    const answer = await client.until('\r\n\r\n');
    // A refused tunnel is not traffic.
    if (!answer.toString('latin1', 0, 13).endsWith(' 200 ')) throw new Error('refused');
    client.skip(answer.indexOf('\r\n\r\n') + 4);
    const text = `${download}\n${'u'.repeat(upload)}`;
    client.socket.end(text);
    tally.sent += text.length;
    const length = (await client.ended()).length;
    tally.received += length;
    if (length < download) tally.failed++;
  } catch {
    tally.failed++;
  }
  client.socket.destroy();
}

export async function startNodes(world: PlatformWorld, target: CountedTarget, count: number, name: string) {
  const all = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const line = await openLine(Number(new URL(world.url()).port));
      const key = await enrolEdge(world.residential.context(), `${name}-${index}`);
      const start = () => world.childEdge(key, `${name}-${index}`, { url: line.url, demoTarget: target.endpoint });
      return { line, start, running: await start() };
    }),
  );
  return {
    all,
    async close() {
      await Promise.all(all.map(({ running }) => running.kill('SIGTERM')));
      for (const { line } of all) await line.close();
    },
  };
}

/** The bytes of all plans. For each plan it checks that plan, days, ledger, leases and their parts agree. */
export async function totalOf(world: PlatformWorld, plans: readonly Plan[]): Promise<bigint> {
  let sum = 0n;
  for (const plan of plans) {
    const sums = await world.sums(plan);
    expect(new Set(sums).size).toBe(1);
    sum += sums[0] ?? 0n;
  }
  return sum;
}
