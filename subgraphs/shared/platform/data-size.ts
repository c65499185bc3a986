// Data is counted in whole bytes (bigint); GB and MB are only ever shown. Spec is silent: 1 GB = 10^9 bytes, 1 MB = 10^6.

export const MB = 1_000_000n;
export const GB = 1_000_000_000n;

/** GB with up to 6 decimals, rounded down to the kilobyte so that usage never shows as more than it is. */
export const toGb = (bytes: bigint): number => Number(bytes / 1_000n) / 1_000_000;

/** MB with up to 3 decimals, rounded down to the kilobyte. */
export const toMb = (bytes: bigint): number => Number(bytes / 1_000n) / 1_000;

/** The opposite of `toGb`: whole kilobytes. */
export const fromGb = (gigabytes: number): bigint => BigInt(Math.round(gigabytes * 1_000_000)) * 1_000n;
