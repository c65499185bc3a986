// A proxy node in a child process, for tests that kill it: node test/edge/child-edge.ts '<options as JSON>'. Prints its port.
import { HOUR, after, systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { startEdge } from '../../edge/edge.ts';
import { remoteControlPlane } from '../../edge/remote-control-plane.ts';
import type { Endpoint } from '../../edge/target-guard.ts';
import { localExit } from './world.ts';

const {
  url,
  key,
  journalFile,
  demoTarget,
  port = 0,
} = JSON.parse(process.argv[2] ?? '{}') as { url: string; key: string; journalFile: string; demoTarget: Endpoint; port?: number };
const log = createLog('silent');
/** At each of these signals the node's system clock jumps, by up to an hour either way. */
let stepMs = 0;
process.on('SIGUSR2', () => {
  stepMs = (Math.random() * 2 - 1) * HOUR;
});
const edge = await startEdge({
  controlPlane: remoteControlPlane({ url, key, log }),
  exits: [localExit(21), localExit(22)],
  listen: [{ address: '127.0.0.1', port }],
  log,
  journalFile,
  sessionsFile: `${journalFile}.sessions`,
  clock: { now: () => after(systemClock.now(), stepMs) },
  demoTarget,
  limits: { tickMs: 100 },
});
process.stdout.write(`${edge.ports[0]}\n`);
process.on('SIGTERM', () => void edge.close().then(() => process.exit(0)));
