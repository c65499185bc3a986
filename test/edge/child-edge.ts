// A proxy node in a process of its own, for tests that kill it: node test/edge/child-edge.ts '<options as JSON>'. Prints its port.
import { createLog } from '#shared/log.ts';
import { startEdge } from '../../subgraphs/residential/edge/edge.ts';
import { remoteControlPlane } from '../../subgraphs/residential/edge/remote-control-plane.ts';
import type { Endpoint } from '../../subgraphs/residential/edge/target-guard.ts';
import { localExit } from './world.ts';

const {
  url,
  key,
  journalFile,
  demoTarget,
  port = 0,
} = JSON.parse(process.argv[2] ?? '{}') as { url: string; key: string; journalFile: string; demoTarget: Endpoint; port?: number };
const log = createLog('silent');
const edge = await startEdge({
  controlPlane: remoteControlPlane({ url, key, log }),
  exits: [localExit(21), localExit(22)],
  listen: [{ address: '127.0.0.1', port }],
  log,
  journalFile,
  demoTarget,
  limits: { tickMs: 100 },
});
process.stdout.write(`${edge.ports[0]}\n`);
process.on('SIGTERM', () => void edge.close().then(() => process.exit(0)));
