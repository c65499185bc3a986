// Contracts in a copy of the tree that has no packages of its own: they are those above it, and no database is needed.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Of the tree that the copy lies in. */
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
