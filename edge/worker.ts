// One worker of a proxy node: a thread with its own event loop and journal, which shares the node's ports.
import { parentPort, workerData } from 'node:worker_threads';
import { SECOND } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createConnectionCounter } from './connection-counter.ts';
import { startEdge } from './edge.ts';
import { createDialler } from './dial.ts';
import { createSourcePorts } from './source-ports.ts';
import { type FromWorker, type ToWorker, controlPlaneOverPort } from './worker-line.ts';
import type { WorkerOrders } from './workers.ts';

const port = parentPort;
if (!port) throw new Error('A worker is started by its node.');
const { index, count, counters, logLevel, ...options } = workerData as WorkerOrders;
const edge = await startEdge({
  ...options,
  log: createLog(logLevel),
  controlPlane: controlPlaneOverPort(port),
  counter: createConnectionCounter(counters, index),
  dial: createDialler(createSourcePorts({ index, count })),
  reusePort: true,
});
const notify = (message: FromWorker) => port.postMessage(message);
notify({ ready: { endpoints: edge.endpoints } });
const figures = setInterval(() => notify({ figures: edge.figures(), standing: edge.standing() }), SECOND);

port.on('message', async (message: ToWorker) => {
  if ('order' in message) {
    await edge.followOrder(message.order);
    notify({ followed: message.id });
  }
  if (!('end' in message)) return;
  await edge.drain(message.end.patienceMs);
  clearInterval(figures);
  await edge.close();
  notify({ ended: true });
  port.close();
});
