// The node under measurement, in a process of its own: node serve-edge.ts '<options as JSON>'. Leases are real, granted by a ledger in this process.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#shared/log.ts';
import { startEdge } from '../../../subgraphs/residential/edge/edge.ts';
import type { Endpoint } from '../../../subgraphs/residential/edge/target-guard.ts';
import { MemoryLedger } from '../../edge/memory-ledger.ts';
import { localExit } from '../../edge/world.ts';

const { target, exits } = JSON.parse(process.argv[2] ?? '{}') as { target: Endpoint; exits: number };
const ledger = new MemoryLedger();
ledger.plan({ username: 'bench', password: 'bench', totalBytes: 10n ** 15n });
const edge = await startEdge({
  controlPlane: ledger.controlPlane(),
  exits: Array.from({ length: exits }, (_, index) => localExit(index + 11)),
  listen: [{ address: '127.0.0.1', port: 0 }],
  log: createLog('warn'),
  journalFile: join(mkdtempSync(join(tmpdir(), 'edge-bench-')), 'journal'),
  demoTarget: target,
  limits: { connectionsPerPlan: 1_000_000, connectionsPerAddress: 1_000_000, handshakesPerAddress: 1_000_000 },
});
process.on('SIGINT', () => process.exit(0));
process.stdout.write(`${edge.ports[0]}\n`);
