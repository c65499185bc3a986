// Reading the metrics of 10,000 machines while a page watches each, compared with fetching and parsing the same answer of the hypervisor. Goal: at most 1.5
// times its time, and at most 2 KiB of memory per watched machine.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Agent, request } from 'undici';
import { SECOND, TestClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createUseWatch } from '../../subgraphs/compute/metrics/providers/live-use.ts';
import { createProxmox } from '../../subgraphs/compute/machines/providers/proxmox.ts';
import { median } from './world.ts';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;
const heap = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};

const nameOf = (index: number): string => `vps-${String(index).padStart(26, '0')}`;

/** The hypervisor's answer for this many machines; the counters grow with every answer. */
function answerOf(count: number, turn: number): string {
  const data = Array.from({ length: count }, (_, index) => ({
    type: 'qemu',
    id: `qemu/${10_000 + index}`,
    vmid: 10_000 + index,
    node: `fra${index % 40}`,
    name: nameOf(index),
    status: 'running',
    template: 0,
    cpu: (index % 100) / 100,
    maxcpu: 8,
    mem: 6_000_000_000 + index,
    maxmem: 17_179_869_184,
    maxdisk: 107_374_182_400,
    uptime: 86_400 + turn,
    netin: turn * 1_000 * index,
    netout: turn * 2_000 * index,
    diskread: turn * 500 * index,
    diskwrite: turn * 700 * index,
  }));
  return JSON.stringify({ data });
}

export async function bench(short: boolean): Promise<void> {
  const [machines, rounds] = short ? [500, 5] : [10_000, 60];
  const answers = [1, 2, 3].map((turn) => Buffer.from(answerOf(machines, turn)));
  let turn = 0;
  const server = createServer((_request, response) => {
    const body = answers[turn++ % answers.length] ?? Buffer.alloc(0);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const terms = {
    url,
    token: 'bench@pve!bench=secret',
    addresses: { first: '127.80.0.1', last: '127.80.0.2', bits: 16 },
    gateway: '127.80.0.1',
  };
  const { hypervisor, close } = createProxmox(terms);
  const clock = new TestClock();
  const watch = createUseWatch({ hypervisor, clock, log: silentLog });
  const agent = new Agent({ connections: 1 });
  try {
    const before = heap();
    let told = 0;
    for (let index = 0; index < machines; index++) watch.watch(nameOf(index), () => told++);
    await watch.look();
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      clock.advance(5 * SECOND);
      let started = performance.now();
      await watch.look();
      ours.push(performance.now() - started);
      started = performance.now();
      const { body } = await request(`${url}/api2/json/cluster/resources?type=vm`, { dispatcher: agent });
      await body.json();
      theirs.push(performance.now() - started);
    }
    if (told < machines * rounds) throw new Error(`only ${told} figures were told`);
    const [one, other] = [median(ours), median(theirs)];
    console.log(
      `  a look at ${machines} machines ${one.toFixed(1)} ms, the same answer parsed ${other.toFixed(1)} ms: ratio ${(one / other).toFixed(2)} (goal 1.50)`,
    );
    console.log(`  memory ${((heap() - before) / machines / 1_024).toFixed(2)} KiB for each watched machine (goal 2.00)`);
  } finally {
    await watch.close();
    await close();
    await agent.close();
    server.closeAllConnections();
    server.close();
  }
}
