import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';
import { SCALE } from '../scale.ts';

// The short form runs everything at once and the parts without long stalls, two files at a time.
const SHORT = ['holds', 'node', 'poison', 'sockets', 'together'];
const proofs = defineConfig({ test: { testTimeout: 1_800_000, hookTimeout: 120_000, fileParallelism: SCALE < 1, reporters: ['verbose'] } });
const config = mergeConfig(base, proofs);
// Assigned, because merging would append to `include`.
config.test = {
  ...config.test,
  include: (SCALE < 1 ? SHORT : ['*']).map((name) => `test/prove/hostile/${name}.prove.ts`),
  execArgv: ['--expose-gc'],
};
export default config;
