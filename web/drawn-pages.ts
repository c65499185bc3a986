// Public pages are drawn by the gateway, with the operator's own name, colours and prices: this adapter leaves the means for that beside the static files.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter } from '@sveltejs/kit';
import { print } from 'graphql';
import { knownDocuments } from './known-documents.ts';
import { PUBLIC_QUERIES } from './src/lib/ops/public.ts';

/** Where they are, below the static files; no web server hands out names that begin with a dot. */
const DRAWN = '.drawn';

const FONT = /^inter-latin-wght-normal\..+\.woff2$/;

/** Has the shell ask for the font of its texts at once, as drawn pages do: a script would ask too late for the first paint. */
function preloadFont(directory: string): void {
  const assets = '_app/immutable/assets';
  const font = readdirSync(join(directory, assets)).find((name) => FONT.test(name));
  const shell = join(directory, '200.html');
  const link = `<link rel="preload" href="/${assets}/${font}" as="font" type="font/woff2" crossorigin="anonymous" />`;
  writeFileSync(
    shell,
    readFileSync(shell, 'utf8').replace('</head>', () => `${link}</head>`),
  );
}

/** What `inner` builds, less the prerendered pages: prerendering has shown that they can be drawn, with no name and no prices. */
export function withDrawnPages(inner: Adapter, directory: string): Adapter {
  return {
    name: inner.name,
    async adapt(builder) {
      await inner.adapt(builder);
      preloadFont(directory);
      const drawn = join(directory, DRAWN);
      builder.writeServer(join(drawn, 'server'));
      builder.generateServerInstance(join(drawn, 'server.js'), {
        serverDirectory: join(drawn, 'server'),
        routes: builder.routes.filter(({ prerender }) => prerender === true),
      });
      for (const { file } of builder.prerendered.pages.values())
        for (const ending of ['', '.br', '.gz']) rmSync(join(directory, file + ending), { force: true });
      const queries = Object.fromEntries(Object.entries(PUBLIC_QUERIES).map(([name, document]) => [name, print(document)]));
      writeFileSync(join(drawn, 'pages.json'), JSON.stringify({ paths: [...builder.prerendered.pages.keys()], queries }));
      writeFileSync(join(drawn, 'documents.json'), JSON.stringify(await knownDocuments(join(process.cwd(), 'src/lib/ops'))));
    },
  };
}
