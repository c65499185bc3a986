import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';

const proofs = defineConfig({ test: { testTimeout: 1_800_000, hookTimeout: 120_000, fileParallelism: false, reporters: ['verbose'] } });
const config = mergeConfig(base, proofs);
// Merging would add to the list.
config.test = { ...config.test, include: ['test/prove/api/*.prove.ts'] };
export default config;
