// Seeded random numbers, so that a run with faults can be repeated from its seed: mulberry32, 32 bits of state.

export interface Random {
  /** True with the probability `ratio`: never for 0, always for 1. */
  chance(ratio: number): boolean;
  /** A whole number from 0 to `limit`, exclusive. */
  below(limit: number): number;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (ratio) => next() < ratio,
    below: (limit) => Math.floor(next() * limit),
  };
}
