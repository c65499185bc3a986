import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';

const proofs = defineConfig({ test: { testTimeout: 2 * 3_600_000, hookTimeout: 120_000, fileParallelism: false, reporters: ['verbose'] } });
const config = mergeConfig(base, proofs);
// Assigned, because merging would append to `include`.
config.test = { ...config.test, include: ['test/prove/billing/*.prove.ts'] };
export default config;
