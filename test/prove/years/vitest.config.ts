import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';

/** Two processes, since a machine has at least two cores. */
const LANES = 2;

const proofs = defineConfig({ test: { testTimeout: 2 * 3_600_000, hookTimeout: 120_000, reporters: ['verbose'] } });
const config = mergeConfig(base, proofs);
// Assigned, because merging would append to `include`.
config.test = { ...config.test, include: ['test/prove/years/*.prove.ts'] };
const lanes = Array.from({ length: LANES }, (_, lane) => ({
  extends: true as const,
  test: { name: `lane ${lane + 1}`, env: { LANE: String(lane), LANES: String(LANES) } },
}));
export default { ...config, test: { ...config.test, projects: lanes } };
