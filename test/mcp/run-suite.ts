// Runs the official conformance suite against our server, and says which of its checks failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RATE_LIMIT } from '../../gateway/http/rate-limit.ts';
import { startMemoryWorld } from '../rest-adapter/memory-world.ts';
import { FIXTURES } from './fixtures.ts';

export interface Outcome {
  /** How many checks passed. */
  passed: number;
  /** `scenario: check` of those that failed, also as a warning, sorted. */
  failed: string[];
}

/**
 * `program`: the suite's `dist/index.js`. `revision`: of the protocol; the scenarios are those that it requires, and those that the suite reports without
 * scoring. Rejects when the suite ran no scenario.
 */
export async function runSuite(program: string, revision: string): Promise<Outcome> {
  const world = await startMemoryWorld({ more: FIXTURES });
  const output = mkdtempSync(join(tmpdir(), 'egress-conformance-'));
  const proxy = await withKey(world.url, () => world.key());
  try {
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
    await run(process.execPath, [program, 'server', '--url', url, '--requirements', revision, '--output-dir', output]);
    return readOutcome(output);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await world.close();
    rmSync(output, { recursive: true, force: true });
  }
}

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
}

/** Each scenario has a folder of the name `server-<scenario>-<time>`. */
function readOutcome(output: string): Outcome {
  const failed = new Set<string>();
  let passed = 0;
  for (const folder of readdirSync(output)) {
    const file = join(output, folder, 'checks.json');
    if (!existsSync(file)) continue;
    const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    for (const { id, status } of JSON.parse(readFileSync(file, 'utf8')) as Check[]) {
      if (status === 'SUCCESS') passed++;
      else if (status === 'FAILURE' || status === 'WARNING') failed.add(`${scenario}: ${id}`);
    }
  }
  if (passed === 0) throw new Error('the conformance suite ran nothing');
  return { passed, failed: [...failed].sort() };
}

/** The suite exits with 1 when a scenario failed: what counts is what it wrote. */
const run = (program: string, words: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'ignore', env: { ...process.env, NODE_OPTIONS: '' } });
    child.on('error', reject).on('close', () => resolve());
  });

/** Adds a key to each request, which the suite cannot do itself. Everything else passes as it is: the suite checks Host, Origin, statuses and streams. */
async function withKey(target: string, newKey: () => Promise<string>): Promise<Server> {
  const { hostname, port } = new URL(target);
  let asked = 0;
  let key = newKey();
  const proxy = createServer((incoming, outgoing) => {
    if (++asked % RATE_LIMIT === 0) key = newKey();
    void key.then((value) => {
      const { method, url: path, headers } = incoming;
      const upstream = request({ hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${value}` } }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      outgoing.on('close', () => upstream.destroy());
      upstream.on('error', () => outgoing.destroy());
      incoming.pipe(upstream);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
  return proxy;
}
