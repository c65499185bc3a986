import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';

/** A process each, of the two cores that there are at least. */
const LANES = 2;

const proofs = defineConfig({ test: { testTimeout: 2 * 3_600_000, hookTimeout: 120_000, reporters: ['verbose'] } });
const config = mergeConfig(base, proofs);
// Merging would add to the list.
config.test = { ...config.test, include: ['test/prove/years/*.prove.ts'] };
const lanes = Array.from({ length: LANES }, (_, lane) => ({
  extends: true as const,
  test: { name: `lane ${lane + 1}`, env: { LANE: String(lane), LANES: String(LANES) } },
}));
export default { ...config, test: { ...config.test, projects: lanes } };
