// Each worker of a run draws from a range of its own: a port that one has found free and does not use yet would be free for another too.
import { FreePorts } from '#platform/free-ports.ts';

export { PLATFORM_PORTS } from '#platform/free-ports.ts';

const [FROM, TO] = [12_000, 30_000];
/** Vitest numbers its workers from 1 on. */
const RANGES = 4;
const range = Number(process.env['VITEST_POOL_ID'] ?? 1) % RANGES;
const width = (TO - FROM) / RANGES;

const ports = new FreePorts(FROM + range * width, FROM + (range + 1) * width);

/** The first of `count` consecutive free ports of this machine. */
export const freePorts = (count: number): Promise<number> => ports.take(count);
