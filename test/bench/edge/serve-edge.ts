// The node to measure, in its own process: node serve-edge.ts '<options as JSON>'. Its leases are real, granted by a ledger in the same process.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#platform/log.ts';
import { startEdge } from '../../../edge/edge.ts';
import { PlanMeter } from '../../../edge/plan-meter.ts';
import type { Endpoint } from '../../../edge/target-guard.ts';
import { MemoryLedger } from '../../edge/memory-ledger.ts';
import { startWorkers } from '../../../edge/workers.ts';
import { localExit } from '../../edge/world.ts';
import { freePort } from './peers.ts';

const { target, exits, workers = 1 } = JSON.parse(process.argv[2] ?? '{}') as { target: Endpoint; exits: number; workers?: number };
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

/** On a message, the node switches leases, metering and journal off (every byte passes uncounted) or on again. */
const { take, ready } = PlanMeter.prototype;
process.on('SIGUSR2', () => {
  const counts = PlanMeter.prototype.take === take;
  PlanMeter.prototype.take = counts ? (_flow, bytes) => bytes : take;
  PlanMeter.prototype.ready = counts ? () => undefined : ready;
});

const start = async (): Promise<number> => {
  if (workers > 1) return (await startWorkers({ ...options, count: workers, logLevel: 'warn' })).endpoints[0]?.port ?? 0;
  return (await startEdge(options)).ports[0] ?? 0;
};
process.on('SIGINT', () => process.exit(0));
process.stdout.write(`${await start()}\n`);
