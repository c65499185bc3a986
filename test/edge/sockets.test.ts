// Sockets over bare handles and over streams behave the same.
import { type AddressInfo, type Server, createServer } from 'node:net';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acceptSockets } from '../../edge/accept-sockets.ts';
import { createOpener } from '../../edge/open-socket.ts';
import { HANDLES } from '../../edge/tcp-handles.ts';
import type { SocketListener, TcpSocket } from '../../edge/tcp-socket.ts';

const LONG_MS = 5_000;
const PIECE = 65_536;

/** Records a socket's events in order; consecutive pieces of data are joined. */
class Listening implements SocketListener {
  readonly said: string[] = [];
  readonly #waiting: { ready: () => boolean; resolve: () => void }[] = [];
  text = '';

  data(bytes: Buffer): void {
    this.text += bytes.toString();
    this.#say('data');
  }

  drain(): void {
    this.#say('drain');
  }

  end(): void {
    this.#say('end');
  }

  error(): void {
    this.#say('error');
  }

  close(): void {
    this.#say('close');
  }

  /** Resolves when `ready` is true; checked after each event. */
  until(ready: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (ready()) resolve();
      else this.#waiting.push({ ready, resolve });
    });
  }

  hears(word: string): Promise<void> {
    return this.until(() => this.said.includes(word));
  }

  #say(word: string): void {
    if (this.said.at(-1) !== word) this.said.push(word);
    for (const { ready, resolve } of this.#waiting) if (ready()) resolve();
  }
}

describe.each([
  ['handles', HANDLES],
  ['streams', undefined],
] as const)('over %s', (kind, handles) => {
  const open = createOpener(handles);
  let server: Server;
  let accepted: TcpSocket[];
  let arrived: () => void;
  const sockets: TcpSocket[] = [];
  const portOf = () => (server.address() as AddressInfo).port;

  beforeEach(async () => {
    accepted = [];
    arrived = () => {};
    server = acceptSockets((socket) => {
      accepted.push(socket);
      sockets.push(socket);
      arrived();
    }, handles);
    await new Promise<void>((done) => server.listen({ host: '127.0.0.1', port: 0 }, done));
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  async function pair(): Promise<{ near: TcpSocket; far: TcpSocket; heard: { near: Listening; far: Listening } }> {
    const arrival = new Promise<void>((done) => (arrived = done));
    const near = await open({ address: '127.0.0.1', port: portOf() }, LONG_MS);
    sockets.push(near);
    await arrival;
    const far = accepted.at(-1) as TcpSocket;
    const heard = { near: new Listening(), far: new Listening() };
    near.listener = heard.near;
    far.listener = heard.far;
    return { near, far, heard };
  }

  test('the runtime exposes its handles', () => {
    expect(handles !== undefined).toBe(kind === 'handles');
  });

  test('nothing is read before it is resumed, or while it is paused', async () => {
    const { near, far, heard } = await pair();
    near.write(Buffer.from('one'));
    await new Promise((done) => setTimeout(done, 30));
    expect(heard.far.text).toBe('');
    far.resume();
    await heard.far.until(() => heard.far.text === 'one');
    far.pause();
    near.write(Buffer.from('two'));
    await new Promise((done) => setTimeout(done, 30));
    expect(heard.far.text).toBe('one');
    far.resume();
    await heard.far.until(() => heard.far.text === 'onetwo');
  });

  test('one side ends, the other answers and ends, and both are closed, once', async () => {
    const { near, far, heard } = await pair();
    near.resume();
    far.resume();
    near.write(Buffer.from('question'));
    const ended = new Promise<void>((done) => near.end(done));
    await ended;
    await heard.far.hears('end');
    expect(near.closed).toBe(false);
    expect(near.write(Buffer.from('too late'))).toBe(true);
    far.write(Buffer.from('answer'));
    far.end();
    await Promise.all([heard.near.hears('close'), heard.far.hears('close')]);
    expect(heard.near.said).toEqual(['data', 'end', 'close']);
    expect(heard.far.said).toEqual(['data', 'end', 'close']);
    expect([heard.near.text, heard.far.text]).toEqual(['answer', 'question']);
    expect([near.closed, far.closed]).toEqual([true, true]);
    // A call of `end` after the end calls back too, and writing does nothing.
    await new Promise<void>((done) => near.end(done));
    expect(near.write(Buffer.from('x'))).toBe(true);
  });

  test('a reset is an error to the other side, then a close', async () => {
    const { near, far, heard } = await pair();
    far.resume();
    near.reset();
    await heard.far.hears('close');
    expect(heard.far.said).toEqual(['error', 'close']);
    await heard.near.hears('close');
    expect(heard.near.said).toEqual(['close']);
  });

  test('a writer that is faster than the reader must wait, and everything arrives, whatever the buffers', async () => {
    const { near, far, heard } = await pair();
    const [sent, received] = [createHash('sha256'), createHash('sha256')];
    const total = 300 * PIECE;
    let [written, read] = [0, 0];
    const pieces = Array.from({ length: 7 }, (_, index) => Buffer.alloc(PIECE - index, index + 1));
    const more = () => {
      while (written < total) {
        const piece = pieces[written % pieces.length] as Buffer;
        sent.update(piece);
        written += piece.length;
        if (!near.write(piece)) return;
      }
      near.end();
    };
    near.listener = { ...asObject(heard.near), drain: more };
    far.listener = {
      ...asObject(heard.far),
      // Nothing is queued, so the buffer is used again at once.
      data(bytes) {
        received.update(bytes);
        read += bytes.length;
        // Pause now and then.
        if (read % 11 !== 0) return;
        far.pause();
        setImmediate(() => far.resume());
      },
    };
    far.reader = near;
    more();
    expect(near.full).toBe(true);
    expect(near.queued).toBeGreaterThan(0);
    near.resume();
    far.resume();
    await heard.far.hears('end');
    expect(read).toBe(written);
    expect(received.digest('hex')).toBe(sent.digest('hex'));
    expect([near.full, near.queued]).toEqual([false, 0]);
  });

  test('bytes that are kept stay as they were when nobody reads them on', async () => {
    const { near, far, heard } = await pair();
    const kept: Buffer[] = [];
    far.listener = { ...asObject(heard.far), data: (bytes) => void kept.push(bytes) };
    far.resume();
    const sent = Buffer.concat(Array.from({ length: 40 }, (_, index) => Buffer.alloc(10_000, index)));
    near.write(sent);
    near.end();
    await heard.far.hears('end');
    expect(Buffer.concat(kept).equals(sent)).toBe(true);
  });

  test('it knows its addresses, and connects from the given one', async () => {
    const source = { address: '127.0.0.77', port: 2_077 };
    const arrival = new Promise<void>((done) => (arrived = done));
    const near = await open({ address: '127.0.0.1', port: portOf() }, LONG_MS, source);
    sockets.push(near);
    await arrival;
    expect(near.localAddress).toBe('127.0.0.77');
    expect(near.remoteAddress).toBe('127.0.0.1');
    expect(accepted[0]?.remoteAddress).toBe('127.0.0.77');
    await expect(open({ address: '127.0.0.1', port: portOf() }, LONG_MS, source)).rejects.toMatchObject({
      code: expect.stringMatching(/^EADDR(INUSE|NOTAVAIL)$/),
    });
  });

  test('an unreachable target is a system error', async () => {
    const closed = createServer();
    await new Promise<void>((done) => closed.listen({ host: '127.0.0.1', port: 0 }, done));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    await expect(open({ address: '127.0.0.1', port }, LONG_MS)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(open({ address: '::1', port }, LONG_MS)).rejects.toMatchObject({
      code: expect.stringMatching(/^E(CONNREFUSED|ADDRNOTAVAIL|NETUNREACH|AFNOSUPPORT)$/),
    });
  });

  test('a target that does not answer in time is given up', async () => {
    // A server that does not accept, with a short backlog: later connections get no answer.
    const deaf = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       const server = require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
         parentPort.postMessage(server.address().port);
         Atomics.wait(new Int32Array(workerData), 0, 0);
         process.exit();
       });`,
      { eval: true, workerData: new SharedArrayBuffer(4) },
    );
    const [port] = (await once(deaf, 'message')) as [number];
    const attempt = () => open({ address: '127.0.0.1', port }, 100).then((socket) => void sockets.push(socket));
    await expect(Promise.all(Array.from({ length: 5 }, attempt))).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await deaf.terminate();
  });

  test('it calls back when nothing was read or written for the given time', async () => {
    const { near, far } = await pair();
    far.resume();
    const idle = new Promise<void>((done) => far.idleAfter(20, done));
    near.write(Buffer.from('x'));
    await idle;
    far.idleAfter(20, () => expect.unreachable());
    far.touch();
    far.idleAfter(0, () => {});
    await new Promise((done) => setTimeout(done, 40));
  });
});

const asObject = (listener: SocketListener): SocketListener => ({
  data: (bytes, socket) => listener.data(bytes, socket),
  drain: (socket) => listener.drain(socket),
  end: (socket) => listener.end(socket),
  error: (socket) => listener.error(socket),
  close: (socket) => listener.close(socket),
});
