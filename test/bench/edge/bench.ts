// Compares the proxy node with the programs that an operator would combine instead, in one run on one machine. Medians of alternating rounds.
// Proxy, customers and target share the cores, so only CPU per byte and per connection is compared; rates are printed as well.
import { type Throughput, type Rate, echoes, idleMemory, newTunnels, requests, transfer } from './load.ts';
import { median } from '../world.ts';
import { CANDIDATES, type Peer, type Target, startScript } from './peers.ts';

interface Measures {
  down: Throughput[];
  up: Throughput[];
  one: Throughput[];
  wide: Throughput[];
  echoes: { p50: number; p99: number }[];
  tunnels: Rate[];
  requests: Rate[];
  idleBytes: number[];
}

/** The shortest round still has hundreds of ticks of CPU time. SCALE=0.67 runs two rounds. */
const FULL = { rounds: Math.max(1, Math.round(3 * Number(process.env['SCALE'] ?? 1))), milliseconds: 3_000, few: 1_000, many: 9_000 };
const SMOKE = { rounds: 1, milliseconds: 150, few: 20, many: 100 };

async function measure(peer: Peer, target: Target, { milliseconds, few, many }: typeof FULL, into: Measures): Promise<void> {
  if (peer.hasSessions) {
    await requests(peer, target, 32, 2 * milliseconds);
    into.requests.push(await requests(peer, target, 32, milliseconds));
    return;
  }
  // Measured first: memory left over from a load would hide what a tunnel needs.
  if (into.idleBytes.length === 0) into.idleBytes.push(await idleMemory(peer, target, few, many));
  into.down.push(await transfer(peer, target, 'down', 8, milliseconds));
  into.one.push(await transfer(peer, target, 'down', 1, milliseconds));
  into.echoes.push(await echoes(peer, target, milliseconds / 3));
  into.wide.push(await transfer(peer, target, 'down', 64, milliseconds));
  into.up.push(await transfer(peer, target, 'up', 8, milliseconds));
  // Warm-up: a node runs for weeks, so the time until its code is compiled is not measured. Every program gets the same warm-up.
  await newTunnels(peer, target, 32, 2 * milliseconds);
  into.tunnels.push(await newTunnels(peer, target, 32, milliseconds));
  if (peer.protocol === 'http' && peer.keepsAlive) into.requests.push(await requests(peer, target, 32, milliseconds));
}

const cell = (value: number, digits = 0, width = 9): string => (Number.isNaN(value) ? '–' : value.toFixed(digits)).padStart(width);

export async function bench(short: boolean): Promise<void> {
  const form = short ? SMOKE : FULL;
  const behind = await startScript('serve-target.ts');
  const target = { address: '127.0.0.1', port: behind.port };
  const candidates = CANDIDATES.filter(({ installed }) => installed);
  const absent = CANDIDATES.filter(({ installed }) => !installed).map(({ name }) => name);
  const all = new Map<string, Measures>(
    candidates.map(({ name }) => [name, { down: [], up: [], one: [], wide: [], echoes: [], tunnels: [], requests: [], idleBytes: [] }]),
  );
  try {
    for (let round = 0; round < form.rounds; round++) {
      for (const candidate of candidates) {
        let peer: Peer | undefined;
        try {
          peer = await candidate.start(target);
          await measure(peer, target, form, all.get(candidate.name) as Measures);
        } catch (error) {
          console.log(`  ${candidate.name} failed: ${(error as Error).message}`);
        } finally {
          await peer?.stop();
        }
      }
    }
  } finally {
    await behind.stop();
  }

  const figures = new Map(
    [...all].map(([name, { down, up, one, wide, echoes: pings, tunnels, requests: kept, idleBytes }]) => [
      name,
      {
        downRate: median(down.map(({ megabytesPerSecond }) => megabytesPerSecond)),
        downCpu: median(down.map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte)),
        wideRate: median(wide.map(({ megabytesPerSecond }) => megabytesPerSecond)),
        wideCpu: median(wide.map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte)),
        oneRate: median(one.map(({ megabytesPerSecond }) => megabytesPerSecond)),
        oneCpu: median(one.map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte)),
        echo50: median(pings.map(({ p50 }) => p50)),
        echo99: median(pings.map(({ p99 }) => p99)),
        upRate: median(up.map(({ megabytesPerSecond }) => megabytesPerSecond)),
        upCpu: median(up.map(({ cpuSecondsPerGigabyte }) => cpuSecondsPerGigabyte)),
        tunnelRate: median(tunnels.map(({ perSecond }) => perSecond)),
        tunnelCpu: median(tunnels.map(({ cpuMicroseconds }) => cpuMicroseconds)),
        p50: median(tunnels.map(({ p50 }) => p50)),
        p99: median(tunnels.map(({ p99 }) => p99)),
        requestRate: median(kept.map(({ perSecond }) => perSecond)),
        requestCpu: median(kept.map(({ cpuMicroseconds }) => cpuMicroseconds)),
        idle: median(idleBytes),
      },
    ]),
  );
  console.log(
    '                     down, 1 tunnel    down, 8 tunnels   down, 64 tunnels  up, 8 tunnels     new tunnels, 32 at once            requests, kept    idle   echo, ms',
  );
  console.log(
    '                       MB/s   s/GB       MB/s   s/GB       MB/s   s/GB       MB/s   s/GB      per s  us CPU    p50   p99 ms    per s  us CPU   KiB    p50    p99',
  );
  for (const [name, f] of figures) {
    console.log(
      `  ${name.padEnd(17)}${cell(f.oneRate, 0, 8)}${cell(f.oneCpu, 2, 7)}   ${cell(f.downRate, 0, 8)}${cell(f.downCpu, 2, 7)}   ${cell(f.wideRate, 0, 8)}${cell(f.wideCpu, 2, 7)}   ${cell(f.upRate, 0, 8)}${cell(f.upCpu, 2, 7)}   ` +
        `${cell(f.tunnelRate, 0, 8)}${cell(f.tunnelCpu, 0, 7)}${cell(f.p50, 1, 7)}${cell(f.p99, 1, 7)}   ${cell(f.requestRate, 0, 8)}${cell(f.requestCpu, 0, 7)}${cell(f.idle / 1_024, 1, 7)}${cell(f.echo50, 3, 7)}${cell(f.echo99, 2, 7)}`,
    );
  }
  if (absent.length > 0) console.log(`  not installed: ${absent.join(', ')}`);
  const own = figures.get('egress');
  for (const name of ['proxy-chain', 'squid', 'tinyproxy', 'microsocks', 'haproxy, relay', '3proxy']) {
    const peer = figures.get(name);
    if (!own || !peer) continue;
    console.log(
      `  egress : ${name}   CPU per GB down ${(own.downCpu / peer.downCpu).toFixed(2)}, up ${(own.upCpu / peer.upCpu).toFixed(2)}, per new tunnel ${(own.tunnelCpu / peer.tunnelCpu).toFixed(2)}` +
        `, per request ${(own.requestCpu / peer.requestCpu).toFixed(2)}, memory per idle tunnel ${(own.idle / peer.idle).toFixed(2)}`,
    );
  }
  const [single, sessions, squid] = [figures.get('egress, one exit'), figures.get('egress, sessions'), figures.get('squid')];
  if (own && single)
    console.log(
      `  one exit : sixteen   new tunnels per second ${(single.tunnelRate / own.tunnelRate).toFixed(2)}, CPU per new tunnel ${(single.tunnelCpu / own.tunnelCpu).toFixed(2)}`,
    );
  if (sessions && squid)
    console.log(
      `  sessions : squid   CPU per request on kept connections ${(sessions.requestCpu / squid.requestCpu).toFixed(2)} (goal: 1.10)`,
    );
  const spread = figures.get('egress, all cores');
  if (own && spread)
    console.log(
      `  all cores : one   down ${(spread.wideRate / own.wideRate).toFixed(2)}, new tunnels per second ${(spread.tunnelRate / own.tunnelRate).toFixed(2)}`,
    );
}
