// What it costs to tell an event to many: sockets that subscribe to the same, once as one session that shares a feed, once as a session each.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import WebSocket from 'ws';
import type { Asked, Held, Published } from './serve-live.ts';

const QUERY = 'subscription { planChanged { id name used owner { email } } }';
/** Connects at the same time. */
const AT_ONCE = 50;
/** Before the next try of a connect that a loaded gateway has refused. */
const RETRY_MS = 200;

interface Told {
  microseconds: number;
  kib: number;
  p50: number;
  p99: number;
  feeds: number;
  /** Microseconds of CPU for a delivery without a socket. */
  within: number;
}

export async function bench(short: boolean): Promise<void> {
  const [sockets, events] = short ? [50, 3] : [Math.round(10_000 * Number(process.env['SCALE'] ?? 1)), 20];
  const shared = await measure(sockets, events, () => 'token-0');
  const apart = await measure(sockets, events, (index) => `token-${index}`);
  if (shared.feeds !== 1 || apart.feeds !== sockets) throw new Error(`feeds: ${shared.feeds} and ${apart.feeds}`);
  console.log(`  ${sockets} listeners without sockets: ${shared.within.toFixed(2)} us of CPU for a delivery (goal 1)`);
  say(`${sockets} sockets of one session`, shared);
  say(`${sockets} sockets of a session each`, apart);
  console.log(`  shared to apart: ${(shared.microseconds / apart.microseconds).toFixed(2)} of the CPU of a delivery`);
}

const say = (who: string, { microseconds, kib, p50, p99, feeds }: Told) =>
  console.log(
    `  ${who}, ${feeds} at the subgraph: ${microseconds.toFixed(1)} us of CPU for a delivery with its socket, ${kib.toFixed(1)} KiB a socket; ` +
      `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  );

async function measure(sockets: number, events: number, tokenOf: (index: number) => string): Promise<Told> {
  const child = fork(new URL('./serve-live.ts', import.meta.url), { env: { ...process.env, SOCKETS: String(sockets), QUERY } });
  const open: WebSocket[] = [];
  child.once('exit', (code) => {
    if (code !== null) throw new Error(`the gateway ended with ${code}`);
  });
  try {
    const url = String(await heard(child)).replace('http', 'ws');
    const within = await ask<Published>(child, 'within');
    const before = await ask<Held>(child, 'held');
    const listeners = await Promise.all(lanes(sockets, async (index) => listen(`${url}/graphql`, tokenOf(index), open)));
    let held = await ask<Held>(child, 'held');
    for (; held.subscriptions < sockets; held = await ask<Held>(child, 'held')) await new Promise((resume) => setTimeout(resume, 100));
    const delays: number[] = [];
    let microseconds = 0;
    // The first event is a warm-up.
    for (let event = 0; event <= events; event++) {
      const began = performance.now();
      const all = Promise.all(listeners.flat().map((next) => next().then(() => performance.now() - began)));
      child.send('publish' satisfies Asked);
      const these = await all;
      const published = await ask<Published>(child, 'arrived');
      if (event === 0) continue;
      delays.push(...these);
      microseconds += published.microseconds;
    }
    delays.sort((one, other) => one - other);
    return {
      microseconds: microseconds / (events * sockets),
      kib: (held.rss - before.rss) / 1_024 / sockets,
      p50: delays[Math.floor(delays.length / 2)] ?? Number.NaN,
      p99: delays[Math.floor(delays.length * 0.99)] ?? Number.NaN,
      feeds: held.feeds,
      within: within.microseconds / sockets,
    };
  } finally {
    for (const socket of open) socket.terminate();
    child.kill();
  }
}

const heard = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0];

async function ask<Answer>(child: ChildProcess, message: Asked): Promise<Answer> {
  const answer = heard(child);
  child.send(message);
  return (await answer) as Answer;
}

function lanes<Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]>[] {
  let next = 0;
  return Array.from({ length: Math.min(AT_ONCE, count) }, async () => {
    const made: Value[] = [];
    for (let index = next++; index < count; index = next++) made.push(await make(index));
    return made;
  });
}

async function connect(url: string, token: string): Promise<WebSocket> {
  for (;;) {
    const socket = new WebSocket(url, 'graphql-transport-ws', {
      headers: { cookie: `egress_session=${token}`, origin: url.replace('ws', 'http').replace('/graphql', '') },
      perMessageDeflate: false,
    });
    const opened = await once(socket, 'open').then(
      () => true,
      () => false,
    );
    if (opened) return socket;
    await new Promise((resume) => setTimeout(resume, RETRY_MS));
  }
}

/** Opens a socket that subscribes; resolves with a function that waits for its next event. */
async function listen(url: string, token: string, open: WebSocket[]): Promise<() => Promise<void>> {
  const socket = await connect(url, token);
  open.push(socket);
  let take: (type: string) => void = () => {};
  socket.on('message', (data) => take((JSON.parse(String(data)) as { type: string }).type));
  const next = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      take = (type) => (type === wanted ? resolve() : reject(new Error(`told ${type} instead of ${wanted}`)));
      socket.once('close', (code, reason) => reject(new Error(`closed with ${code} ${String(reason)}`)));
    });
  const acknowledged = next('connection_ack');
  socket.send(JSON.stringify({ type: 'connection_init' }));
  await acknowledged;
  socket.removeAllListeners('close');
  socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query: QUERY } }));
  return () => {
    socket.removeAllListeners('close');
    return next('next');
  };
}
