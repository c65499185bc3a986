import { readFileSync } from 'node:fs';

const file = new URL('../../../package.json', import.meta.url);

/** This program's version, from its package.json. */
export const PROGRAM_VERSION = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
