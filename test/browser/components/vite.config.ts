import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at('.'),
  logLevel: 'error',
  resolve: { alias: [{ find: /^#lib\/(.*)$/, replacement: at('../../../web/src/lib/$1') }] },
  plugins: [tailwindcss(), svelte({ configFile: false })],
  build: {
    emptyOutDir: true,
    rolldownOptions: { input: at('mount.ts'), output: { entryFileNames: 'mount.js', assetFileNames: 'assets/[name][extname]' } },
  },
});
