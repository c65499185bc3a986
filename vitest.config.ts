import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const moduleFile = (name: string) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));

export default defineConfig({
  // One copy of graphql: @apollo's CommonJS one, or objects of the other are "from another module or realm".
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: moduleFile('graphql/index.js') },
      // Under the conditions below the bundler finds their files for browsers.
      { find: /^pdfkit$/, replacement: moduleFile('pdfkit/js/pdfkit.js') },
      { find: /^fontkit$/, replacement: moduleFile('fontkit/dist/main.cjs') },
    ],
  },
  ssr: { resolve: { conditions: ['node', 'require', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/kit/postgres.ts'],
    pool: 'forks',
    // A worker keeps what it has imported for its next files: that was half of the work. So what a file shares with others says when it begins
    // (`openDesk()`), never at its import.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A shared machine stalls for seconds at times: there a test that fails has a second try, and the report names each that needed it.
    retry: process.env.CI ? 1 : 0,
    env: {
      NODE_ENV: 'test',
      ENV_FILE: '/dev/null',
      APOLLO_TELEMETRY_DISABLED: 'true',
      // The first process that a test starts leaves what it has compiled to those after it: most of a start is that.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('.data/compile-cache', import.meta.url)),
    },
  },
});
