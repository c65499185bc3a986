import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // One copy of graphql: @apollo's CommonJS one, or objects of the other are "from another module or realm".
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) }] },
  ssr: { resolve: { conditions: ['node', 'require', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/kit/postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { NODE_ENV: 'test', APOLLO_TELEMETRY_DISABLED: 'true' },
  },
});
