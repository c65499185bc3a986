import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';

const proofs = defineConfig({ test: { testTimeout: 1_800_000, hookTimeout: 1_800_000, fileParallelism: false, reporters: ['verbose'] } });
const config = mergeConfig(base, proofs);
// Assigned, because merging would append to `include`.
config.test = { ...config.test, include: ['test/prove/live-system/*.prove.ts'] };
export default config;
