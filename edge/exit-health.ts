// A circuit breaker for exits: takes an exit out after repeated failures, probes it, and puts it back when it works.
import { connect, createServer } from 'node:net';
import { MINUTE, SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { type Exit, placeHealth } from './exit.ts';
import type { DialTrouble } from './parent-answer.ts';

/** A connection through an exit that failed. */
export interface ExitFault {
  trouble: DialTrouble;
  /** The target's. */
  host: string;
  /** The place that the line asked for. */
  place: string;
  retryAfterMs?: number | undefined;
  detail: string;
}

export interface ExitHealth {
  worked(exit: Exit, place: string): void;
  faulted(exit: Exit, fault: ExitFault): void;
  close(): void;
}

/** Resolves whether the exit accepts connections. Sends nothing to any target. */
export type ExitProbe = (exit: Exit) => Promise<boolean>;

/** How many different targets must fail before the exit is taken out: one broken target must not cost all customers the exit. */
const TARGETS_TO_LEAVE = 3;
const FIRST_PROBE_MS = 2 * SECOND;
/** A refused account is not repaired within seconds. */
const FIRST_ACCOUNT_PROBE_MS = 30 * SECOND;
const MAX_PROBE_MS = 5 * MINUTE;
const PROBE_TIMEOUT_MS = 5 * SECOND;
const PATIENCE_MS = SECOND;
const PLACE_FAILURES_TO_LEAVE = 3;
const PLACE_OUT_MS = 10 * SECOND;

export interface ExitHealthOptions {
  probe?: ExitProbe;
  monotonic?: () => number;
}

/** Each exit has its own breaker, and a gateway has one per place: a failing exit does not affect lines of other exits. */
export function createExitHealth(log: Log, options: ExitHealthOptions = {}): ExitHealth {
  const { probe = probeExit, monotonic = () => performance.now() } = options;
  const timers = new Map<Exit, NodeJS.Timeout>();
  /** How long an exit stays out if it fails again while on trial. */
  const delays = new Map<Exit, number>();

  const probeLater = (exit: Exit, delayMs: number) => {
    delays.set(exit, Math.min(MAX_PROBE_MS, delayMs * 2));
    const timer = setTimeout(async () => {
      const works = await probe(exit);
      // The checks were closed, or a newer probe has replaced this one.
      if (timers.get(exit) !== timer) return;
      timers.delete(exit);
      if (works) putBack(exit);
      else probeLater(exit, delays.get(exit) ?? delayMs);
    }, delayMs);
    timer.unref();
    timers.set(exit, timer);
  };
  /** A probe sends nothing to a target, so the exit is on trial: the next connection shows whether it carries traffic. */
  const putBack = (exit: Exit) => {
    exit.healthy = true;
    exit.onTrial = true;
    exit.failedTargets.clear();
    log.info({ exit: exit.definition.id }, 'exit is back');
  };
  const takeOut = (exit: Exit, detail: string, firstMs: number) => {
    if (!exit.healthy) return;
    exit.healthy = false;
    log.warn({ exit: exit.definition.id, detail }, 'exit is taken out');
    probeLater(exit, exit.onTrial ? Math.max(firstMs, delays.get(exit) ?? firstMs) : firstMs);
    exit.onTrial = false;
  };
  const troubleIn = (exit: Exit, place: string) => {
    const health = placeHealth(exit, place);
    health.faults++;
    health.failures++;
    if (health.failures < PLACE_FAILURES_TO_LEAVE) return;
    health.outUntil = monotonic() + Math.min(MAX_PROBE_MS, PLACE_OUT_MS * 2 ** (health.failures - PLACE_FAILURES_TO_LEAVE));
  };

  return {
    worked(exit, place) {
      exit.opened++;
      exit.failedTargets.clear();
      exit.trouble = undefined;
      if (exit.onTrial) {
        exit.onTrial = false;
        delays.delete(exit);
      }
      if (exit.definition.kind !== 'gateway') return;
      const health = placeHealth(exit, place);
      health.opened++;
      health.failures = 0;
    },
    faulted(exit, { trouble, host, place, retryAfterMs, detail }) {
      if (trouble === 'target' || trouble === 'policy') return;
      if (trouble === 'busy') {
        exit.busyUntil = monotonic() + (retryAfterMs ?? PATIENCE_MS);
        return;
      }
      exit.faults++;
      if (trouble === 'account') {
        if (exit.trouble === undefined) log.error({ exit: exit.definition.id, detail }, 'the seller refuses the account of this exit');
        exit.trouble = detail;
        return takeOut(exit, detail, FIRST_ACCOUNT_PROBE_MS);
      }
      if (trouble === 'place') return troubleIn(exit, place);
      exit.failedTargets.add(trouble === 'unreachable' ? `${exit.failedTargets.size} unreachable` : host);
      if (exit.onTrial || exit.failedTargets.size >= TARGETS_TO_LEAVE) takeOut(exit, detail, FIRST_PROBE_MS);
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Checks that a local address can be bound, or that a parent accepts connections. Of a network only the first address is checked. */
export const probeExit: ExitProbe = ({ definition }) =>
  new Promise((resolve) => {
    if (definition.kind === 'local' || definition.kind === 'network') {
      const server = createServer();
      server.once('error', () => resolve(false));
      const host = definition.kind === 'local' ? definition.address : definition.network.replace(/::\/.*$|\/.*$/, '::1');
      server.listen({ host, port: 0 }, () => server.close(() => resolve(true)));
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
