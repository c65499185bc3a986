// The use of a dedicated server as its controller measures it: live while somebody watches, and its history.
import { DAY, HOUR, SECOND, after, daysBefore } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import type { MetricsContext } from '../context.ts';
import { type BareMetalRow, machineOfServer, machinesOfServers } from '../../machines/entities/bare-metal.ts';
import { type MetalUse, dropMetalUse, metalUseSince, noteMetalUse } from '../entities/metal-use.ts';
import { type ServerRow, settledServers } from '../../servers/entities/server.ts';
import type { BareMetalReadings } from '../../machines/domain/bare-metal-readings.ts';
import type { UseSpan } from '../../machines/providers/hypervisor.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';
import { controllerOf } from '../../machines/services/controller.ts';

/** About 60 to 170 points each. */
const SPANS: Record<UseSpan, { backMs: number; bucketSeconds: number }> = {
  HOUR: { backMs: HOUR, bucketSeconds: 60 },
  DAY: { backMs: DAY, bucketSeconds: 600 },
  WEEK: { backMs: 7 * DAY, bucketSeconds: 3_600 },
};
/** Controllers are slow, so each is queried at most every five seconds for a subscriber. */
const LIVE_MS = 5 * SECOND;
const CONCURRENCY = 16;

export const metalHistory = (ctx: MetricsContext, { id }: Pick<ServerRow, 'id'>, span: UseSpan): Promise<MetalUse[]> =>
  metalUseSince(ctx.em, id, { since: after(ctx.clock.now(), -SPANS[span].backMs), bucketSeconds: SPANS[span].bucketSeconds });

/** Yields the use from now on, until the caller stops. If the controller does not answer, it is queried again at the next interval. */
export function watchMetalUse(ctx: MetricsContext, server: Pick<ServerRow, 'id'>): AsyncIterableIterator<MetalUse> {
  let before: { at: Date; readings: BareMetalReadings } | undefined;
  const look = async (): Promise<MetalUse | undefined> => {
    const machine = await machineOfServer(ctx.em.fork() as MetricsContext['em'], server.id);
    const readings = machine && (await readingsOf(ctx, machine));
    if (!readings) return undefined;
    const now = { at: ctx.clock.now(), readings };
    const use = toUse(now, before);
    before = now;
    return use;
  };
  return liveIterator<MetalUse>(
    (push) => {
      let looking = false;
      const read = async () => {
        if (looking) return;
        looking = true;
        const use = await look().finally(() => (looking = false));
        if (use) push(use);
      };
      const readOrLog = () =>
        void read().catch((error: unknown) => ctx.log.warn({ error: String(error) }, 'a controller could not be read'));
      readOrLog();
      const timer = setInterval(readOrLog, LIVE_MS).unref();
      return () => clearInterval(timer);
    },
    { key: () => 'use', onDrop: () => {}, capacity: 1, signal: ctx.signal },
  );
}

async function readingsOf(ctx: MetricsContext, machine: BareMetalRow): Promise<BareMetalReadings | undefined> {
  const ref = controllerOf(ctx, machine);
  if (!ref || !ctx.providers.metal) return undefined;
  try {
    return await ctx.providers.metal.bareMetal.readings(ref);
  } catch (error) {
    if (error instanceof VendorTrouble) return undefined;
    throw error;
  }
}

interface Reading {
  at: Date;
  readings: BareMetalReadings;
}

function toUse({ at, readings }: Reading, before: Reading | undefined): MetalUse {
  const seconds = before ? (at.getTime() - before.at.getTime()) / SECOND : 0;
  const flow = (key: 'receivedBytes' | 'sentBytes') => {
    const [now, then] = [readings[key], before?.readings[key]];
    return now === null || then === null || then === undefined || seconds <= 0 || now < then ? null : (now - then) / seconds;
  };
  return {
    at,
    cpuRatio: readings.cpuShare,
    memoryRatio: readings.memoryShare,
    diskRatio: readings.diskShare,
    netInBytesPerSecond: flow('receivedBytes'),
    netOutBytesPerSecond: flow('sentBytes'),
    watts: readings.watts,
    inletCelsius: readings.inletCelsius,
  };
}

/** Stores one reading of every settled machine, and deletes those that are older than `RETAIN_SERVER_LOAD_DAYS`. */
export async function sampleMetalUse(ctx: MetricsContext): Promise<void> {
  const at = ctx.clock.now();
  const servers = await settledServers(ctx.em, 'DEDICATED');
  const machines = await machinesOfServers(
    ctx.em,
    servers.map(({ id }) => id),
  );
  const samples: { serverId: string; readings: BareMetalReadings }[] = [];
  for (let from = 0; from < machines.length; from += CONCURRENCY)
    await Promise.all(
      machines.slice(from, from + CONCURRENCY).map(async (machine) => {
        const readings = await readingsOf(ctx, machine);
        if (readings && machine.serverId !== null) samples.push({ serverId: machine.serverId, readings });
      }),
    );
  await inTransaction(ctx, async ({ em }) => {
    for (const { serverId, readings } of samples) await noteMetalUse(em, serverId, at, readings);
    await dropMetalUse(em, daysBefore(at, ctx.providers.retention.serverLoad));
  });
}
