// The node under measurement, in a process of its own: node serve-edge.ts '<options as JSON>'. Leases are real, granted by a ledger in this process.
import { hash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#shared/log.ts';
import { startEdge } from '../../../subgraphs/residential/edge/edge.ts';
import type { Endpoint } from '../../../subgraphs/residential/edge/target-guard.ts';
import { MemoryLedger } from '../../edge/memory-ledger.ts';
import { startWorkers } from '../../../subgraphs/residential/edge/workers.ts';
import { localExit } from '../../edge/world.ts';
import { freePort } from './peers.ts';

const {
  target,
  exits,
  workers = 1,
  unmetered = false,
} = JSON.parse(process.argv[2] ?? '{}') as { target: Endpoint; exits: number; workers?: number; unmetered?: boolean };
const ledger = new MemoryLedger();
ledger.plan({ username: 'bench', password: 'bench', totalBytes: 10n ** 15n });
const options = {
  controlPlane: ledger.controlPlane(),
  exits: Array.from({ length: exits }, (_, index) => localExit(index + 11)),
  listen: [{ address: '127.0.0.1', port: workers > 1 ? await freePort() : 0 }],
  log: createLog('warn'),
  journalFile: join(mkdtempSync(join(tmpdir(), 'edge-bench-')), 'journal'),
  demoTarget: target,
  limits: { connectionsPerPlan: 1_000_000, connectionsPerAddress: 1_000_000, handshakesPerAddress: 1_000_000 },
};

/** The same node without leases, metering against a plan and journal: the line of a static plan. */
async function startUnmetered(): Promise<number> {
  const edge = await startEdge(options);
  const line = { address: '127.0.0.1', port: await freePort() };
  const fingerprint = hash('sha256', 'bench', 'buffer');
  ledger.setStatic('static', { planId: 'static', username: 'bench', fingerprint, open: true, allowedClients: [], endpoints: [line] });
  await edge.staticLines.settled();
  return line.port;
}

const startMetered = async (): Promise<number> => {
  if (workers > 1) return (await startWorkers({ ...options, count: workers, logLevel: 'warn' })).endpoints[0]?.port ?? 0;
  return (await startEdge(options)).ports[0] ?? 0;
};
process.on('SIGINT', () => process.exit(0));
process.stdout.write(`${await (unmetered ? startUnmetered() : startMetered())}\n`);
