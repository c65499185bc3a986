// ESLint reads only the dashboard's `.svelte` files, which oxlint does not; everything else is oxlint's.
import parser from '@typescript-eslint/parser';
import svelte from 'eslint-plugin-svelte';

export default [
  { ignores: ['web/build/', 'web/.svelte-kit/'] },
  ...svelte.configs.recommended,
  {
    files: ['web/src/**/*.svelte', 'web/src/**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser } },
    rules: {
      // The dashboard is served from the root of its host: a path is written as it is.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  // Plain modules are oxlint's.
  { ignores: ['web/src/**/*.ts', '!web/src/**/*.svelte.ts'] },
];
