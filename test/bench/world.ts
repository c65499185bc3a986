// A platform to measure: a database with accounts, keys and plans, and servers in their own processes, so that the load generator is not measured.
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate } from '#platform/migrate.ts';
import { databaseUrl } from '../kit/postgres.ts';
import { freePorts } from '../kit/ports.ts';

export interface BenchWorld {
  databaseUrl: string;
  /** Starts `file` with the database's address and a free port in its environment; resolves with its URL when it is ready. */
  serve(file: string, environment?: Record<string, string>): Promise<Served>;
  close(): Promise<void>;
}

/** External vendors are not part of what is measured. */
const NO_VENDORS = {
  SANDBOX: 'false',
  STRIPE_SECRET_KEY: 'sk_test_none',
  STRIPE_WEBHOOK_SECRETS: 'whsec_none',
  SMTP_URL: 'smtp://127.0.0.1:9',
};

export interface Served {
  url: string;
  /** The process's ready message. */
  ready: Record<string, unknown>;
  pid: number;
}

export async function openBenchWorld(): Promise<BenchWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'egress-bench-'));
  const postgres = await openEmbeddedPostgres(join(dataDir, 'postgres'));
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const admin = new Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const database = databaseUrl(postgres.url, name);
  await migrate(database);
  const children: ChildProcess[] = [];
  return {
    databaseUrl: database,
    async serve(file, environment = {}) {
      const port = await freePorts(6);
      const child = fork(new URL(file, import.meta.url), {
        // The parent's import conditions must not apply to the product, nor its peers: they get the one flag that `npm start` gives.
        execArgv: ['--max-semi-space-size=64'],
        env: {
          ...process.env,
          DATABASE_URL: database,
          PORT: String(port),
          DATA_DIR: dataDir,
          NODE_ENV: 'test',
          LOG_LEVEL: 'error',
          DEMO: 'false',
          ...NO_VENDORS,
          ...environment,
        },
      });
      children.push(child);
      const ready = await new Promise<Record<string, unknown>>((resolve, reject) => {
        child.once('message', (message) => resolve(message as Record<string, unknown>));
        child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
      });
      return { url: `http://127.0.0.1:${port}`, ready, pid: child.pid ?? 0 };
    },
    async close() {
      for (const child of children) {
        child.removeAllListeners('exit');
        child.kill('SIGTERM');
      }
      await Promise.all(children.map((child) => (child.exitCode === null ? new Promise((done) => child.once('exit', done)) : undefined)));
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(postgres.directory, { recursive: true, force: true });
    },
  };
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
