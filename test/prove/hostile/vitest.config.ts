import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';
import { SCALE } from '../scale.ts';

// The short form only checks that all of it runs, two files at a time.
const proofs = defineConfig({ test: { testTimeout: 1_800_000, hookTimeout: 120_000, fileParallelism: SCALE < 1, reporters: ['verbose'] } });
const config = mergeConfig(base, proofs);
// Assigned, because merging would append to `include`.
config.test = { ...config.test, include: ['test/prove/hostile/*.prove.ts'], execArgv: ['--expose-gc'] };
export default config;
