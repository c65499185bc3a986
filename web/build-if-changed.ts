// Builds the dashboard when anything that goes into it has changed since the last build. `npm start` runs it; a second start finds nothing to do.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('./', import.meta.url));
const mark = join(web, 'build', '.inputs');
const MADE = new Set(['build', '.svelte-kit', 'node_modules']);

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !MADE.has(name))
    .flatMap((entry) => (entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}

const hash = createHash('sha256');
for (const file of [...files(web), join(web, '../schema/api.graphql'), join(web, '../package-lock.json')])
  hash.update(file.slice(web.length)).update(readFileSync(file));
const inputs = hash.digest('hex');

if (!existsSync(mark) || readFileSync(mark, 'utf8') !== inputs) {
  process.stdout.write('Building the dashboard ...\n');
  const run = (bin: string, ...args: string[]) =>
    execFileSync(join(web, '../node_modules/.bin', bin), args, { cwd: web, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    run('svelte-kit', 'sync');
    run('vite', 'build', '--logLevel', 'error');
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
    process.stderr.write(`The dashboard could not be built:\n${stdout ?? ''}${stderr ?? ''}\n`);
    process.exit(1);
  }
  writeFileSync(mark, inputs);
}
