// Opens a connection to a checked address through an exit: from a local address, or through a parent proxy or a seller's gateway.
import { lookup } from 'node:dns/promises';
import type { Failure } from '#platform/errors.ts';
import type { Exit, ExitDefinition } from './exit.ts';
import { type ExitLine, addressIn, loginAt } from './exit-line.ts';
import { type DialTrouble, type ParentRefusal, broken, parentRefusal, refusalOf } from './parent-answer.ts';
import type { Endpoint } from './target-guard.ts';
import { toDialFailure } from './refusals.ts';
import { PORT_ATTEMPTS, type SourcePorts } from './source-ports.ts';
import { type Greeting, httpGreeting, socks5Greeting } from './protocol/proxy-greeting.ts';
import { openSocket } from './open-socket.ts';
import type { TcpSocket } from './tcp-socket.ts';

/** A connection that could not be opened. */
export class DialError extends Error {
  readonly failure: Failure;
  readonly trouble: DialTrouble;
  readonly retryAfterMs: number | undefined;
  /** For the operator. */
  readonly detail: string;

  constructor({ failure, trouble, retryAfterMs, detail }: ParentRefusal) {
    super(failure.code);
    this.failure = failure;
    this.trouble = trouble;
    this.retryAfterMs = retryAfterMs;
    this.detail = detail;
  }

  /** Whether another exit may succeed. */
  get movable(): boolean {
    return this.trouble !== 'target';
  }
}

/** An open connection to a target. */
export interface Upstream {
  /** Paused. */
  socket: TcpSocket;
  /** What the target sent after a parent's greeting. */
  early: Buffer;
  /** The address that it leaves from, for exits with many addresses. */
  from?: string | undefined;
}

/**
 * `target` has a name instead of an address for exits that take names; `line` tells exits with many addresses which place and session is asked for.
 * Rejects with a DialError. Tests pass one that records and connects to nothing. */
export type Dialler = (exit: Exit, target: Endpoint, timeoutMs: number, line?: ExitLine) => Promise<Upstream>;

/** System error codes that are faults of the local address, not of the target. */
const EXIT_FAULTS = new Set(['EADDRNOTAVAIL', 'EADDRINUSE', 'EACCES', 'EINVAL', 'EPERM']);

export const createDialler =
  (ports: SourcePorts): Dialler =>
  async (exit, target, timeoutMs, line) => {
    const { definition } = exit;
    if (definition.kind === 'local') return dialFrom(definition.address, target, ports, timeoutMs);
    if (definition.kind === 'network') {
      const from = addressIn(definition, line?.session);
      // The system chooses the port: each session has its own address, so ports do not run short.
      return { ...(await dialFrom(from, target, { next: () => undefined }, timeoutMs)), from };
    }
    return dialThrough(definition, target, timeoutMs, line);
  };

async function dialFrom(address: string, target: Endpoint, ports: SourcePorts, timeoutMs: number): Promise<Upstream> {
  for (let attempt = 1; ; attempt++) {
    const port = ports.next(address);
    try {
      return { socket: await openSocket(target, timeoutMs, { address, port: port ?? 0 }), early: NONE };
    } catch (error) {
      const { code = 'failed' } = error as NodeJS.ErrnoException;
      if ((code === 'EADDRINUSE' || code === 'EADDRNOTAVAIL') && port !== undefined && attempt < PORT_ATTEMPTS) continue;
      throw new DialError(
        EXIT_FAULTS.has(code) ? refusalOf('unreachable', code) : { failure: toDialFailure(code), trouble: 'target', detail: code },
      );
    }
  }
}

type Parent = Exclude<ExitDefinition, { kind: 'local' | 'network' }>;

/** Connects to the first of the parent's addresses that accepts. */
async function reachParent({ host, port }: Parent, timeoutMs: number): Promise<TcpSocket> {
  const addresses = await lookup(host, { all: true }).catch(() => []);
  for (const { address } of addresses) {
    try {
      return await openSocket({ address, port }, timeoutMs);
    } catch {
      // Try the next address.
    }
  }
  throw new DialError(refusalOf('unreachable', `${host}:${port} takes no connections`));
}

function greetingOf(parent: Parent, target: Endpoint, line: ExitLine | undefined): Greeting {
  if (parent.kind !== 'gateway') return parent.kind === 'http' ? httpGreeting(parent, target) : socks5Greeting(parent, target);
  const login = line && loginAt(parent, line);
  if (!login) throw new DialError(refusalOf('place', 'the templates of the gateway need more than the line says'));
  return parent.protocol === 'http' ? httpGreeting(login, target) : socks5Greeting(login, target);
}

async function dialThrough(parent: Parent, target: Endpoint, timeoutMs: number, line: ExitLine | undefined): Promise<Upstream> {
  const greeting = greetingOf(parent, target, line);
  const socket = await reachParent(parent, timeoutMs);
  return new Promise((resolve, reject) => {
    let collected = NONE;
    const lose = (refusal: ParentRefusal) => {
      socket.destroy();
      reject(new DialError(refusal));
    };
    const gone = () => lose(broken('it closed the connection'));
    socket.listener = {
      data(bytes) {
        collected = Buffer.concat([collected, bytes]);
        const step = greeting.read(collected);
        if (step === undefined) return;
        if ('refusal' in step) return lose(parentRefusal(step.refusal, parent.kind === 'gateway' ? parent.answers : undefined));
        collected = collected.subarray(step.used);
        if ('send' in step) socket.write(step.send);
        else {
          socket.pause();
          socket.idleAfter(0, gone);
          resolve({ socket, early: collected });
        }
      },
      drain: () => {},
      end: gone,
      error: gone,
      close: gone,
    };
    socket.idleAfter(timeoutMs, () => lose(broken('it did not answer in time')));
    socket.write(greeting.hello);
    socket.resume();
  });
}

const NONE: Buffer = Buffer.alloc(0);
