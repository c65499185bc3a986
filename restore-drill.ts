// Tries a backup out: restores it into a scratch folder, verifies its books, starts the platform on it and buys there, with none of the real environment
// variables. The sandbox stands in for all vendors, so no vendor is called and no mail is sent.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RestoreOrder, type Restored, restoreBackup } from '#platform/backup/restore-backup.ts';
import { SECOND } from '#platform/clock.ts';
import { embeddedPlace, openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { FreePorts, PLATFORM_PORTS } from '#platform/free-ports.ts';
import { SANDBOX_PORTS } from '#platform/sandbox-terms.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { buyAsStranger } from './drill-purchase.ts';

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
    const port = await new FreePorts().take(PLATFORM_PORTS);
    const environment = scratchEnvironment(dataDir, port);
    const server = await openEmbeddedPostgres(join(dataDir, 'postgres'));
    try {
      for (const check of CHECKS) say((await ranWell(check, environment)).trim());
      await whileItRuns(environment, async () => {
        say('The platform starts on it and is ready.');
        const at = { url: environment.PUBLIC_URL, mailUrl: `http://127.0.0.1:${Number(environment.SANDBOX_PORT) + SANDBOX_PORTS.mail}` };
        say(await buyAsStranger(at));
      });
      for (const check of CHECKS) await ranWell(check, environment);
      say('Books and usage agree after that too.');
    } finally {
      await server.stop();
    }
    return manifest;
  } finally {
    const { directory } = embeddedPlace(join(dataDir, 'postgres'));
    for (const place of [directory, scratch]) await rm(place, { recursive: true, force: true });
  }
}

const scratchEnvironment = (dataDir: string, port: number) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  ENV_FILE: '/dev/null',
  NODE_ENV: 'development',
  DATA_DIR: dataDir,
  SANDBOX: 'true',
  SANDBOX_PORT: String(port + 1),
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  DEMO: 'false',
  EDGE: 'false',
  LOG_LEVEL: 'error',
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

/** Starts the platform and runs `work` once it is ready. Throws a StartFailure with what it printed. */
async function whileItRuns(environment: ReturnType<typeof scratchEnvironment>, work: () => Promise<void>): Promise<void> {
  const { child, ended, said } = start('main.ts', environment);
  let running = true;
  void ended.then(() => (running = false));
  const isReady = async () => {
    for (let waited = 0; waited < START_MS && running; waited += LOOK_MS) {
      const answer = await fetch(`${environment.PUBLIC_URL}/health/ready`).catch(() => undefined);
      if (answer?.ok) return true;
      await pause(LOOK_MS);
    }
    return false;
  };
  const died = ended.then(async (code): Promise<never> => {
    throw new StartFailure(`The platform on the restored copy ended with ${code}:\n${await said}`);
  });
  // It ends in any case when it is told to.
  died.catch(() => {});
  try {
    if (await isReady()) return await Promise.race([work(), died]);
  } finally {
    child.kill();
    await ended;
  }
  throw new StartFailure(`The platform does not become ready on the restored copy:\n${await said}`);
}
