// Takes an exit out when it fails again and again, tries it quietly, and puts it back when it works.
import { connect, createServer } from 'node:net';
import { MINUTE, SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Exit } from './exits.ts';

export interface ExitHealth {
  worked(exit: Exit): void;
  /** The exit's own fault, not the target's. */
  faulted(exit: Exit): void;
  close(): void;
}

/** Resolves whether the exit works, without sending anything anywhere else. */
export type ExitProbe = (exit: Exit) => Promise<boolean>;

const FAULTS_TO_LEAVE = 3;
const FIRST_PROBE_MS = 2 * SECOND;
const MAX_PROBE_MS = 5 * MINUTE;
const PROBE_TIMEOUT_MS = 5 * SECOND;

export function createExitHealth(log: Log, probe: ExitProbe = probeExit): ExitHealth {
  const timers = new Map<Exit, NodeJS.Timeout>();

  const probeLater = (exit: Exit, delayMs: number) => {
    const timer = setTimeout(async () => {
      const works = await probe(exit);
      // Closed, or put back, meanwhile.
      if (timers.get(exit) !== timer) return;
      timers.delete(exit);
      if (works) putBack(exit);
      else probeLater(exit, Math.min(MAX_PROBE_MS, delayMs * 2));
    }, delayMs);
    timer.unref();
    timers.set(exit, timer);
  };
  const putBack = (exit: Exit) => {
    exit.healthy = true;
    exit.failures = 0;
    log.info({ exit: exit.definition.id }, 'exit is back');
  };

  return {
    worked(exit) {
      exit.opened++;
      exit.failures = 0;
    },
    faulted(exit) {
      exit.faults++;
      exit.failures++;
      if (!exit.healthy || exit.failures < FAULTS_TO_LEAVE) return;
      exit.healthy = false;
      log.warn({ exit: exit.definition.id }, 'exit is taken out');
      probeLater(exit, FIRST_PROBE_MS);
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** A local address works when it can be bound, a parent when it takes connections. */
export const probeExit: ExitProbe = ({ definition }) =>
  new Promise((resolve) => {
    if (definition.kind === 'local') {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen({ host: definition.address, port: 0 }, () => server.close(() => resolve(true)));
      return;
    }
    const socket = connect({ host: definition.host, port: definition.port });
    const done = (works: boolean) => {
      socket.destroy();
      resolve(works);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => done(false));
    socket.once('error', () => done(false));
    socket.once('connect', () => done(true));
  });
