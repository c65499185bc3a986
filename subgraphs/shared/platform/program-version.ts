import { readFileSync } from 'node:fs';

const file = new URL('../../../package.json', import.meta.url);

/** Of this program, as its package says. */
export const PROGRAM_VERSION = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
