// Metering: how fast reports are ingested, how soon subscribers see them, and whether a large installation reads as fast as a small one.
import { measureDelay } from './metering/delay.ts';
import { measureIngestion } from './metering/ingestion.ts';
import { openResidential } from './metering/residential.ts';
import { measureScale } from './metering/scale.ts';
import { openBenchWorld } from './world.ts';

export async function bench(short: boolean): Promise<void> {
  for (const measure of [measureIngestion, measureDelay, measureScale]) {
    const world = await openBenchWorld();
    const residential = await openResidential(world.databaseUrl);
    try {
      await measure(residential, world.databaseUrl, short);
    } finally {
      await residential.close();
      await world.close();
    }
  }
}
