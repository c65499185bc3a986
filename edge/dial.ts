// Opens the connection to a judged address through an exit: from a local address, or through a parent proxy.
import { lookup } from 'node:dns/promises';
import { type Failure, fail } from '#platform/errors.ts';
import type { Exit, ExitDefinition } from './exits.ts';
import type { Endpoint } from './target-guard.ts';
import { toDialFailure } from './refusals.ts';
import { PORT_ATTEMPTS, type SourcePorts } from './source-ports.ts';
import { httpParentGreeting, socks5ParentGreeting } from './parent-proxy.ts';
import { openSocket } from './open-socket.ts';
import type { TcpSocket } from './tcp-socket.ts';

/** A connection that did not come about. `exitFault`: another exit may do better. */
export class DialError extends Error {
  readonly failure: Failure;
  readonly exitFault: boolean;

  constructor(failure: Failure, exitFault: boolean) {
    super(failure.code);
    this.failure = failure;
    this.exitFault = exitFault;
  }
}

/** The way to a target. */
export interface Upstream {
  /** Paused. */
  socket: TcpSocket;
  /** What the target sent after a parent's greeting. */
  early: Buffer;
}

/** Rejects with a DialError. Tests pass one that records and connects to nothing. */
export type Dialler = (exit: Exit, target: Endpoint, timeoutMs: number) => Promise<Upstream>;

/** The system's codes that blame the leaving address and not the target. */
const EXIT_FAULTS = new Set(['EADDRNOTAVAIL', 'EADDRINUSE', 'EACCES', 'EINVAL', 'EPERM']);

export const createDialler =
  (ports: SourcePorts): Dialler =>
  async (exit, target, timeoutMs) => {
    const { definition } = exit;
    if (definition.kind === 'local') return dialFrom(definition.address, target, ports, timeoutMs);
    return dialThrough(definition, target, timeoutMs);
  };

async function dialFrom(address: string, target: Endpoint, ports: SourcePorts, timeoutMs: number): Promise<Upstream> {
  for (let attempt = 1; ; attempt++) {
    const port = ports.next(address);
    try {
      return { socket: await openSocket(target, timeoutMs, { address, port: port ?? 0 }), early: NONE };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code === 'EADDRINUSE' || code === 'EADDRNOTAVAIL') && port !== undefined && attempt < PORT_ATTEMPTS) continue;
      throw new DialError(toDialFailure(code), EXIT_FAULTS.has(code ?? ''));
    }
  }
}

type Parent = Exclude<ExitDefinition, { kind: 'local' }>;

/** Through the first of its addresses that takes connections. */
async function reachParent({ host, port }: Parent, timeoutMs: number): Promise<TcpSocket> {
  const addresses = await lookup(host, { all: true }).catch(() => []);
  for (const { address } of addresses) {
    try {
      return await openSocket({ address, port }, timeoutMs);
    } catch {
      // The next one may.
    }
  }
  throw new DialError(fail('exit_failed'), true);
}

async function dialThrough(parent: Parent, target: Endpoint, timeoutMs: number): Promise<Upstream> {
  const socket = await reachParent(parent, timeoutMs);
  const greeting = parent.kind === 'http' ? httpParentGreeting(parent, target) : socks5ParentGreeting(parent, target);
  return new Promise((resolve, reject) => {
    let collected = NONE;
    const lose = (error: DialError) => {
      socket.destroy();
      reject(error);
    };
    const broken = () => lose(new DialError(fail('exit_failed'), true));
    socket.listener = {
      data(bytes) {
        collected = Buffer.concat([collected, bytes]);
        const step = greeting.read(collected);
        if (step === undefined) return;
        if ('failure' in step) return lose(new DialError(step.failure, step.exitFault));
        collected = collected.subarray(step.used);
        if ('send' in step) socket.write(step.send);
        else {
          socket.pause();
          socket.idleAfter(0, broken);
          resolve({ socket, early: collected });
        }
      },
      drain: () => {},
      end: broken,
      error: broken,
      close: broken,
    };
    socket.idleAfter(timeoutMs, broken);
    socket.write(greeting.hello);
    socket.resume();
  });
}

const NONE: Buffer = Buffer.alloc(0);
