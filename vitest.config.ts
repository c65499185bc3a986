import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const moduleFile = (name: string) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));

export default defineConfig({
  // One copy of graphql: @apollo's CommonJS one, or objects of the other are "from another module or realm".
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: moduleFile('graphql/index.js') },
      // Under the conditions below the bundler finds its file for browsers.
      { find: /^pdfkit$/, replacement: moduleFile('pdfkit/js/pdfkit.js') },
    ],
  },
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
