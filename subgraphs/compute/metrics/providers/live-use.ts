// Reads the use of all machines while anybody watches one: a single call serves all subscribers.
import { type Clock, SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Flow, Hypervisor, MachineUse } from '../../machines/providers/hypervisor.ts';

/** Rates are in bytes per second, averaged over the time between two reads. */
export interface LiveUse extends Flow {
  at: Date;
  cpu: number;
  memoryBytes: number;
  memoryTotalBytes: number;
}

export interface UseWatch {
  /** Calls `on` with the machine's use now and after each read; returns a function that stops this. */
  watch(name: string, on: (use: LiveUse) => void): () => void;
  /** Reads once. While anybody watches, this happens every five seconds. */
  look(): Promise<void>;
  close(): Promise<void>;
}

const LOOK_MS = 5 * SECOND;

/** A machine as it was last read. The objects are reused: ten thousand new ones for each read would cost more than the read itself. */
interface Seen extends Flow {
  at: Date;
  live: LiveUse;
}

/** A counter that has fallen was restarted, and its rate is 0. */
const rate = (before: number, now: number, seconds: number): number => Math.max(0, now - before) / seconds;

export function createUseWatch({ hypervisor, clock, log }: { hypervisor: Pick<Hypervisor, 'use'>; clock: Clock; log: Log }): UseWatch {
  const watchers = new Map<string, Set<(use: LiveUse) => void>>();
  const seen = new Map<string, Seen>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  function see(use: MachineUse, at: Date): LiveUse {
    const { cpu, memoryBytes, memoryTotalBytes, netInBytes, netOutBytes, diskReadBytes, diskWriteBytes } = use;
    const before = seen.get(use.name);
    if (!before) {
      // There is nothing to compare with: rates are unknown until the next read.
      const live = { at, cpu, memoryBytes, memoryTotalBytes, netInBytes: 0, netOutBytes: 0, diskReadBytes: 0, diskWriteBytes: 0 };
      seen.set(use.name, { at, live, netInBytes, netOutBytes, diskReadBytes, diskWriteBytes });
      return live;
    }
    const seconds = (at.getTime() - before.at.getTime()) / SECOND;
    if (seconds <= 0) return (before.live = { ...before.live, at, cpu, memoryBytes, memoryTotalBytes });
    before.live = {
      at,
      cpu,
      memoryBytes,
      memoryTotalBytes,
      netInBytes: rate(before.netInBytes, netInBytes, seconds),
      netOutBytes: rate(before.netOutBytes, netOutBytes, seconds),
      diskReadBytes: rate(before.diskReadBytes, diskReadBytes, seconds),
      diskWriteBytes: rate(before.diskWriteBytes, diskWriteBytes, seconds),
    };
    before.at = at;
    before.netInBytes = netInBytes;
    before.netOutBytes = netOutBytes;
    before.diskReadBytes = diskReadBytes;
    before.diskWriteBytes = diskWriteBytes;
    return before.live;
  }

  async function lookNow(): Promise<void> {
    const uses = await hypervisor.use();
    const at = clock.now();
    for (const use of uses) {
      // Machines that nobody watches are not stored.
      const those = watchers.get(use.name);
      if (!those) continue;
      const live = see(use, at);
      for (const on of those) on(live);
    }
  }
  const look = (): Promise<void> =>
    (looking ??= lookNow()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'the use of machines could not be read'))
      .finally(() => (looking = undefined)));

  return {
    watch(name, on) {
      const those = watchers.get(name) ?? new Set();
      watchers.set(name, those.add(on));
      const known = seen.get(name)?.live;
      if (known) on(known);
      else void look();
      timer ??= setInterval(() => void look(), LOOK_MS).unref();
      return () => {
        those.delete(on);
        if (those.size > 0 || watchers.get(name) !== those) return;
        watchers.delete(name);
        seen.delete(name);
        if (watchers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    look,
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
