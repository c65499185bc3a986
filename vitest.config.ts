import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const moduleFile = (name: string) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));

export default defineConfig({
  // Only one copy of graphql, the CommonJS one that @apollo uses: with two, objects of one are "from another module or realm" for the other.
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: moduleFile('graphql/index.js') },
      // With the conditions below the bundler would pick their files for browsers.
      { find: /^pdfkit$/, replacement: moduleFile('pdfkit/js/pdfkit.js') },
      { find: /^fontkit$/, replacement: moduleFile('fontkit/dist/main.cjs') },
    ],
  },
  ssr: { resolve: { conditions: ['node', 'require', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/kit/postgres.ts'],
    pool: 'forks',
    // A later run, such as one of a dozen proofs, finds the modules translated.
    fsModuleCache: true,
    fsModuleCachePath: fileURLToPath(new URL('.data/modules', import.meta.url)),
    // A worker keeps imported modules for its next files, because importing was half of the work. So each file must open what it shares with others by a call
    // (`openDesk()`), never at import.
    isolate: false,
    maxWorkers: 2,
    // Several times what the slowest takes alone: a shared machine stalls.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A shared machine sometimes stalls for seconds: in CI a test that fails is tried once more, and the report names each that needed it.
    retry: process.env.CI ? 1 : 0,
    env: {
      NODE_ENV: 'test',
      ENV_FILE: '/dev/null',
      APOLLO_TELEMETRY_DISABLED: 'true',
      // The first process that a test starts caches its compiled code for later ones: compiling is most of a start.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('.data/compile-cache', import.meta.url)),
    },
  },
});
