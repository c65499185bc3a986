// Opens the connection to a judged address through an exit: from a local address, or through a parent proxy.
import { isIPv4 } from 'node:net';
import { type Failure, fail } from '#shared/errors.ts';
import type { Exit, ExitDefinition } from './exits.ts';
import type { Endpoint } from './target-guard.ts';
import { toDialFailure } from './refusals.ts';
import { PORT_ATTEMPTS, type SourcePorts } from './source-ports.ts';
import { httpParentGreeting, socks5ParentGreeting } from './parent-proxy.ts';
import { Upstream } from './upstream.ts';

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
    const localPort = ports.next(address);
    try {
      return await opened(
        new Upstream({
          host: target.address,
          port: target.port,
          family: isIPv4(target.address) ? 4 : 6,
          localAddress: address,
          ...(localPort !== undefined && { localPort }),
        }),
        timeoutMs,
      );
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code === 'EADDRINUSE' || code === 'EADDRNOTAVAIL') && localPort !== undefined && attempt < PORT_ATTEMPTS) continue;
      throw new DialError(toDialFailure(code), EXIT_FAULTS.has(code ?? ''));
    }
  }
}

/** Resolves when connected; rejects with the system's error. */
function opened(upstream: Upstream, timeoutMs: number): Promise<Upstream> {
  const { socket } = upstream;
  return new Promise((resolve, reject) => {
    const expire = () => socket.destroy(Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT' }));
    socket.setTimeout(timeoutMs, expire);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.setTimeout(0, expire);
      socket.removeListener('error', reject);
      resolve(upstream);
    });
  });
}

type Parent = Exclude<ExitDefinition, { kind: 'local' }>;

async function dialThrough(parent: Parent, target: Endpoint, timeoutMs: number): Promise<Upstream> {
  let upstream: Upstream;
  try {
    upstream = await opened(new Upstream({ host: parent.host, port: parent.port }), timeoutMs);
  } catch {
    throw new DialError(fail('exit_failed'), true);
  }
  const greeting = parent.kind === 'http' ? httpParentGreeting(parent, target) : socks5ParentGreeting(parent, target);
  const { socket } = upstream;
  return new Promise<Upstream>((resolve, reject) => {
    const lose = (error: DialError) => {
      socket.destroy();
      reject(error);
    };
    const broken = () => lose(new DialError(fail('exit_failed'), true));
    socket.once('error', broken);
    socket.once('close', broken);
    socket.once('end', broken);
    socket.setTimeout(timeoutMs, broken);
    let collected: Buffer = Buffer.alloc(0);
    upstream.attach((bytes) => {
      collected = Buffer.concat([collected, bytes]);
      const step = greeting.read(collected);
      if (step === undefined) return true;
      if ('failure' in step) {
        lose(new DialError(step.failure, step.exitFault));
        return false;
      }
      if ('send' in step) {
        collected = collected.subarray(step.used);
        socket.write(step.send);
        return true;
      }
      for (const event of ['error', 'close', 'end'] as const) socket.removeListener(event, broken);
      socket.setTimeout(0, broken);
      upstream.unread(collected.subarray(step.used));
      resolve(upstream);
      return false;
    });
    socket.write(greeting.hello);
  });
}
