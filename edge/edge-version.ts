import { readFileSync } from 'node:fs';

/** As the package says. */
export const EDGE_VERSION: string = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version;
