/** The share of the full size, for a quick look: SCALE=0.01. */
export const SCALE = Number(process.env['SCALE'] ?? 1);
export const scaled = (count: number, least = 1): number => Math.max(least, Math.round(count * SCALE));

/** The seed of everything random: SEED=7. Every failure prints its seed. */
export const SEED = Number(process.env['SEED'] ?? 1);

const started = performance.now();
/** Prints a line of figures, with the seconds since the start. */
export const say = (text: string): void => console.log(`  ${text} (${((performance.now() - started) / 1_000).toFixed(0)} s)`);
