// `node test/external/dump-release.ts COMMIT NAME`: starts the release of a commit with its demo on an empty database, and stores a dump of it and what
// its API answers the demo's customer in `releases/`. TEST_DATABASE_URL names the server; the release runs with this checkout's packages.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { type Customer, type Release, SETTINGS, answersOf, fileOf } from './previous-release.ts';

const [commit = '', name = ''] = process.argv.slice(2);
const server = process.env['TEST_DATABASE_URL'] ?? '';
if (!commit || !name || !server) throw new Error('Usage: TEST_DATABASE_URL=... node test/external/dump-release.ts COMMIT NAME');

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'egress-release-'));
const database = `egress_release_${process.pid}`;
const url = Object.assign(new URL(server), { pathname: `/${database}` }).href;
const port = 20_000 + (process.pid % 10_000);
const admin = new Client({ connectionString: server });

await admin.connect();
try {
  execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C "${folder}"`], { cwd: root });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // A release may need the folder of the built dashboard; an empty one is enough.
  mkdirSync(join(folder, 'web/build'), { recursive: true });
  await admin.query(`create database ${database}`);
  const DATA_DIR = join(folder, 'data');
  const environment = { ...SETTINGS, NODE_ENV: 'development', PORT: `${port}`, SANDBOX_PORT: `${port + 20}`, DATABASE_URL: url, DATA_DIR };
  const platform = spawn(process.execPath, ['main.ts'], {
    cwd: folder,
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => platform.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    platform.stdout.on('data', (bytes: Buffer) => bytes.includes('Ctrl-C stops it') && resolve());
    void ended.then((code) => reject(new Error(`the release ended with ${String(code)}`)));
  });
  const demo = JSON.parse(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8')) as { customer: Customer; apiKey: string };
  const customer = { email: demo.customer.email, password: demo.customer.password, apiKey: demo.apiKey };
  const answers = await answersOf(`http://localhost:${port}`, customer);
  const release: Release = { commit, at: new Date().toISOString(), customer, answers };
  platform.kill('SIGTERM');
  await ended;
  const sql = execFileSync('pg_dump', ['--no-owner', '--inserts', '--rows-per-insert=200', url], { maxBuffer: 2 ** 28 })
    .toString()
    // Removes commands of psql, and the name of that server's owner.
    .replaceAll(/^\\.*$| FOR ROLE \S+/gm, '');
  writeFileSync(fileOf(name, 'sql.gz'), gzipSync(sql, { level: 9 }));
  writeFileSync(fileOf(name, 'json'), `${JSON.stringify(release, undefined, 2)}\n`);
} finally {
  await admin.query(`drop database if exists ${database} with (force)`);
  await admin.end();
  rmSync(folder, { recursive: true, force: true });
}
