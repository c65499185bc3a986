// The dashboard is static files: the gateway draws public pages at its start, the rest is one client-side shell (200.html) that it serves.
import { sveltekit } from '@sveltejs/kit/vite';
import adapter from '@sveltejs/adapter-static';
import { withDrawnPages } from './drawn-pages.ts';
import tailwindcss from '@tailwindcss/vite';
import { type Plugin, defineConfig } from 'vite';

/** A page keeps the font that it was painted with: one that arrives late is there for the next page, and moves nothing on this one. */
const fontsNeverSwap: Plugin = {
  name: 'fonts-never-swap',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.endsWith('.css'))
        file.source = String(file.source).replaceAll(/font-display:\s*swap/g, 'font-display:optional');
  },
};

/**
 * What comes in one file: what starts a page, SvelteKit, the frame of signed-in pages, and parts of pages and icons that at least six entries use. By itself each
 * small module would be a file, and a page would ask for a hundred. What starts a page stays apart from SvelteKit, which reads what the page hands over. Texts
 * stay apart from everything, as a page loads them in one language.
 */
const GROUPS = [
  { name: 'start', test: /vite[\\/]preload-helper|kit[\\/]src[\\/]runtime[\\/]client[\\/]payload\.js$/, priority: 3 },
  { name: 'kit', test: /kit[\\/]src[\\/]runtime[\\/](app|client[\\/](?!entry))/, priority: 2 },
  {
    name: 'frame',
    test: new RegExp(
      [
        'lib/shell/(nav|Brand|account-language|ThemeToggle)',
        'lib/(caller|acting|theme|now|debounced|operation)\\.',
        'lib/(team/switch-account|legal/legal-kinds)',
        'lib/ops/(account|announcements|legal|money)\\.',
      ].join('|'),
    ),
    priority: 1,
  },
  { name: 'shared', test: /lib[\\/](ui|format|shell)[\\/]|@lucide|lib[\\/][\\w.-]+\.ts$/, minShareCount: 6 },
];

export default defineConfig({
  // Inlined assets would need data: sources in the content security policy.
  build: { assetsInlineLimit: 0 },
  // What many pages share comes as one file: by itself each small module would be one, and a page would ask for a hundred.
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } } } } },
  // What the gateway draws pages with has all of its packages in it: where it runs, none that a dashboard is built of needs to be installed.
  ssr: { noExternal: true },
  plugins: [
    fontsNeverSwap,
    tailwindcss(),
    sveltekit({
      compilerOptions: { runes: ({ filename }) => (filename.split(/[/\\]/).includes('node_modules') ? undefined : true) },
      adapter: withDrawnPages(adapter({ pages: 'build', assets: 'build', fallback: '200.html', precompress: true, strict: true }), 'build'),
      // Settings registers it where somebody switches push on: nobody else loads it.
      serviceWorker: { register: false },
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
