// The dashboard is static files: the gateway draws public pages at its start, the rest is one client-side shell (200.html) that it serves.
import { sveltekit } from '@sveltejs/kit/vite';
import adapter from '@sveltejs/adapter-static';
import { withDrawnPages } from './drawn-pages.ts';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Inlined assets would need data: sources in the content security policy.
  build: { assetsInlineLimit: 0 },
  // What the gateway draws pages with has all of its packages in it: where it runs, none that a dashboard is built of needs to be installed.
  ssr: { noExternal: true },
  plugins: [
    tailwindcss(),
    sveltekit({
      compilerOptions: { runes: ({ filename }) => (filename.split(/[/\\]/).includes('node_modules') ? undefined : true) },
      adapter: withDrawnPages(adapter({ pages: 'build', assets: 'build', fallback: '200.html', precompress: true, strict: true }), 'build'),
      csp: {
        mode: 'hash',
        directives: {
          'default-src': ['self'],
          'script-src': ['self'],
          'style-src': ['self', 'unsafe-inline'],
          'img-src': ['self', 'data:'],
          'font-src': ['self'],
          'connect-src': ['self', 'ws:', 'wss:'],
          'object-src': ['none'],
          'base-uri': ['none'],
          'form-action': ['self'],
        },
      },
    }),
  ],
});
