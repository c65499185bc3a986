// Tries a backup out: restores it into a scratch folder, verifies its books and starts the platform on it, with none of the real environment variables. The
// sandbox stands in for all vendors, so no vendor is called and no mail is sent.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RestoreOrder, type Restored, restoreBackup } from '#platform/backup/restore-backup.ts';
import { SECOND } from '#platform/clock.ts';
import { embeddedPlace, openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { StartFailure } from '#platform/start-failure.ts';

/** Commands that check the books of any installation; each exits with 0 when they agree. */
const CHECKS = ['subgraphs/accounts/commands/verify-books.ts', 'subgraphs/residential/commands/verify-usage.ts'];
const START_MS = 180 * SECOND;
const LOOK_MS = 250;

interface DrillOrder extends Pick<RestoreOrder, 'folder' | 'passphrase' | 'to'> {
  say(line: string): void;
}

/** Throws a StartFailure that names what failed. Removes everything that it created. */
export async function drillRestore({ folder, passphrase, to, say }: DrillOrder): Promise<Restored> {
  const scratch = await mkdtemp(join(tmpdir(), 'egress-drill-'));
  const dataDir = join(scratch, 'data');
  try {
    const manifest = await restoreBackup({ folder, passphrase, config: { DATA_DIR: dataDir, DATABASE_URL: undefined }, ...(to && { to }) });
    say('Restored.');
    const environment = await scratchEnvironment(dataDir);
    const server = await openEmbeddedPostgres(join(dataDir, 'postgres'));
    try {
      for (const check of CHECKS) say((await ranWell(check, environment)).trim());
      await startsWell(environment);
      say('The platform starts on it and is ready.');
    } finally {
      await server.stop();
    }
    return manifest;
  } finally {
    const { directory } = embeddedPlace(join(dataDir, 'postgres'));
    for (const place of [directory, scratch]) await rm(place, { recursive: true, force: true });
  }
}

async function scratchEnvironment(dataDir: string): Promise<Record<string, string>> {
  const port = await freePort();
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    ENV_FILE: '/dev/null',
    NODE_ENV: 'development',
    DATA_DIR: dataDir,
    SANDBOX: 'true',
    SANDBOX_PORT: '0',
    PORT: String(port),
    DEMO: 'false',
    EDGE: 'false',
    LOG_LEVEL: 'error',
  };
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

function start(file: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, said: Promise.all([text(child.stdout), text(child.stderr)]).then((both) => both.join('')) };
}

async function ranWell(file: string, environment: Record<string, string>): Promise<string> {
  const { ended, said } = start(file, environment);
  if ((await ended) !== 0) throw new StartFailure(`${file} on the restored copy says:\n${await said}`);
  return said;
}

async function startsWell(environment: Record<string, string>): Promise<void> {
  const { child, ended, said } = start('main.ts', environment);
  let running = true;
  void ended.then(() => (running = false));
  try {
    for (let waited = 0; waited < START_MS && running; waited += LOOK_MS) {
      const answer = await fetch(`http://127.0.0.1:${environment['PORT']}/health/ready`).catch(() => undefined);
      if (answer?.ok) return;
      await pause(LOOK_MS);
    }
  } finally {
    child.kill();
    await ended;
  }
  throw new StartFailure(`The platform does not become ready on the restored copy:\n${await said}`);
}
