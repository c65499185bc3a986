// Runs the contract tests in a copy of the tree, with the packages of the tree around it and without a database.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** The packages of the tree that contains the copy. */
const PACKAGES = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const aliases = (base.resolve?.alias ?? []) as { find: RegExp; replacement: string }[];

export default defineConfig({
  root: ROOT,
  resolve: {
    alias: aliases.map(({ find, replacement }) => ({
      find,
      replacement: replacement.replace(`${ROOT}node_modules/`, PACKAGES),
    })),
  },
  ...(base.ssr ? { ssr: base.ssr } : {}),
  test: { ...base.test, globalSetup: [] },
});
