// The customers' side: tunnels that download, upload or are idle, new connections, requests on persistent connections.
import { type Socket, connect } from 'node:net';
import type { Peer, Target } from './peers.ts';

const CREDENTIALS = Buffer.from('bench:bench').toString('base64');

/** The bytes of the handshake, and the number of bytes or the text to wait for. */
function handshake(
  { protocol, authenticated }: Peer,
  { address, port }: Target,
): { steps: readonly (readonly [send: Buffer, wait: number | 'head'])[] } {
  if (protocol === 'relay') return { steps: [] };
  if (protocol === 'http') {
    const login = authenticated ? `Proxy-Authorization: Basic ${CREDENTIALS}\r\n` : '';
    return { steps: [[Buffer.from(`CONNECT ${address}:${port} HTTP/1.1\r\nHost: ${address}:${port}\r\n${login}\r\n`), 'head']] };
  }
  const request = Buffer.from([5, 1, 0, 1, ...address.split('.').map(Number), port >> 8, port & 255]);
  return {
    steps: [
      [Buffer.from([5, 1, 2]), 2],
      [Buffer.concat([Buffer.from([1, 5]), Buffer.from('bench'), Buffer.from([5]), Buffer.from('bench')]), 2],
      [request, 10],
    ],
  };
}

/** Opens a tunnel. `counted` gets the length of every chunk that arrives. Rejects when the proxy refuses. */
export function openTunnel(peer: Peer, target: Target, counted: (bytes: number) => void = () => {}): Promise<Socket> {
  const { steps } = handshake(peer, target);
  return new Promise((resolve, reject) => {
    let step = 0;
    let collected = Buffer.alloc(0);
    let open = steps.length === 0;
    const socket = connect({
      port: peer.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(open ? 65_536 : 16_384),
        callback: (length, bytes) => {
          if (open) {
            counted(length);
            return true;
          }
          collected = Buffer.concat([collected, bytes.subarray(0, length)]);
          const wait = steps[step]?.[1];
          if (wait === 'head' ? !collected.includes('\r\n\r\n') : collected.length < (wait ?? 0)) return true;
          const fine = wait === 'head' ? / 200 /.test(collected.toString('latin1', 0, 16)) : step === 0 || collected[1] === 0;
          if (!fine) {
            reject(new Error(`${peer.name} refused: ${collected.toString('latin1').slice(0, 100)}`));
            socket.destroy();
            return false;
          }
          collected = Buffer.alloc(0);
          step++;
          const next = steps[step];
          if (next) socket.write(next[0]);
          else {
            open = true;
            resolve(socket);
          }
          return true;
        },
      },
    });
    socket.once('connect', () => (open ? resolve(socket) : socket.write(steps[0]?.[0] ?? '')));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`${peer.name} closed the connection`)));
  });
}

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

export interface Throughput {
  megabytesPerSecond: number;
  cpuSecondsPerGigabyte: number;
}

export async function transfer(
  peer: Peer,
  target: Target,
  direction: 'down' | 'up',
  tunnels: number,
  milliseconds: number,
): Promise<Throughput> {
  let bytes = 0;
  const sockets = await Promise.all(Array.from({ length: tunnels }, () => openTunnel(peer, target, (length) => (bytes += length))));
  const chunk = Buffer.alloc(262_144, 1);
  for (const socket of sockets) {
    socket.write(direction === 'down' ? 'D' : 'U');
    if (direction === 'up') {
      const more = () => {
        while (socket.writable && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    }
  }
  const moved = () =>
    direction === 'down' ? bytes : sockets.reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0);
  await pause(Math.min(300, milliseconds / 2));
  const [before, cpuBefore, began] = [moved(), peer.cpuSeconds(), performance.now()];
  await pause(milliseconds);
  const [after, cpuAfter, seconds] = [moved(), peer.cpuSeconds(), (performance.now() - began) / 1_000];
  for (const socket of sockets) socket.destroy();
  await pause(100);
  return { megabytesPerSecond: (after - before) / 1e6 / seconds, cpuSecondsPerGigabyte: (cpuAfter - cpuBefore) / ((after - before) / 1e9) };
}

export interface Rate {
  perSecond: number;
  cpuMicroseconds: number;
  p50: number;
  p99: number;
}

/** `workers` repeat `attempt` concurrently. An error ends the measurement: a proxy that fails is not fast. */
async function rate(peer: Peer, workers: number, milliseconds: number, attempt: (worker: number) => Promise<void>): Promise<Rate> {
  const times: number[] = [];
  let running = true;
  const cpuBefore = peer.cpuSeconds();
  const began = performance.now();
  const all = Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (running) {
        const start = performance.now();
        await attempt(worker);
        times.push(performance.now() - start);
      }
    }),
  );
  await Promise.race([pause(milliseconds), all]);
  running = false;
  await all;
  const seconds = (performance.now() - began) / 1_000;
  const cpu = peer.cpuSeconds() - cpuBefore;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / seconds, cpuMicroseconds: (cpu / times.length) * 1e6, p50: at(0.5), p99: at(0.99) };
}

/** Each attempt opens a tunnel, gets one byte through it and closes it. */
export const newTunnels = (peer: Peer, target: Target, workers: number, milliseconds: number): Promise<Rate> =>
  rate(peer, workers, milliseconds, async () => {
    const answered = Promise.withResolvers<void>();
    const socket = await openTunnel(peer, target, () => answered.resolve());
    socket.once('close', () => answered.reject(new Error(`${peer.name} closed the tunnel`)));
    socket.write('G');
    await answered.promise;
    socket.resetAndDestroy();
  });

/** Requests in absolute form, one after another on each of `workers` persistent connections. */
export async function requests(peer: Peer, { address, port }: Target, workers: number, milliseconds: number): Promise<Rate> {
  const requestOf = (worker: number) => {
    const login = peer.hasSessions
      ? Buffer.from(`bench-country-de-session-${worker + 1}-sessionttl-30:bench`).toString('base64')
      : CREDENTIALS;
    const authorization = `Proxy-Authorization: Basic ${login}`;
    return Buffer.from(
      `GET http://${address}:${port}/ HTTP/1.1\r\nHost: ${address}:${port}\r\n${authorization}\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n`,
    );
  };
  const wanted = Array.from({ length: workers }, (_, worker) => requestOf(worker));
  const connections = await Promise.all(
    Array.from({ length: workers }, async () => {
      const socket = connect({ port: peer.port, host: '127.0.0.1', noDelay: true });
      const state = { socket, wanted: 0, done: () => {}, failed: (_: Error) => {} };
      let text = '';
      socket.on('data', (bytes: Buffer) => {
        text += bytes.toString('latin1');
        const head = text.indexOf('\r\n\r\n');
        if (head < 0 || text.length < head + 4 + 1_024) return;
        const fine = text.startsWith('HTTP/1.1 200');
        text = '';
        if (fine) state.done();
        else state.failed(new Error(`${peer.name} refused a request`));
      });
      socket.on('error', (error) => state.failed(error));
      socket.on('close', () => state.failed(new Error(`${peer.name} closed a kept connection`)));
      await new Promise<void>((done) => socket.once('connect', done));
      return state;
    }),
  );
  const result = await rate(
    peer,
    workers,
    milliseconds,
    (worker) =>
      new Promise((done, failed) => {
        const connection = connections[worker];
        if (!connection) return failed(new Error('no connection'));
        connection.done = done;
        connection.failed = failed;
        connection.socket.write(wanted[worker] as Buffer);
      }),
  );
  for (const { socket } of connections) {
    socket.removeAllListeners('close');
    socket.destroy();
  }
  return result;
}

/** Bytes per idle tunnel, from the difference between `few` and `many` tunnels, so that the program's own memory does not count. */
export async function idleMemory(peer: Peer, target: Target, few: number, many: number): Promise<number> {
  const sockets: Socket[] = [];
  const open = async (count: number) => {
    while (sockets.length < count)
      sockets.push(...(await Promise.all(Array.from({ length: Math.min(100, count - sockets.length) }, () => openTunnel(peer, target)))));
    await pause(500);
    return peer.memoryBytes();
  };
  const before = await open(few);
  const after = await open(many);
  for (const socket of sockets) socket.destroy();
  await pause(200);
  return (after - before) / (many - few);
}

/** Milliseconds from a byte to its echo, one after another through one tunnel. */
export async function echoes(peer: Peer, target: Target, milliseconds: number): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  let answered = () => {};
  const socket = await openTunnel(peer, target, () => answered());
  const ping = async () => {
    const came = Promise.withResolvers<void>();
    answered = came.resolve;
    const began = performance.now();
    socket.write('E');
    await came.promise;
    return performance.now() - began;
  };
  // The first byte selects the target's behaviour.
  socket.write('E');
  await pause(50);
  const until = performance.now() + milliseconds;
  while (performance.now() < until) times.push(await ping());
  socket.destroy();
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length / 2)] ?? Number.NaN, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN };
}
