// The messages between a node's main thread and its workers: calls to the platform, the feed, and the order to end.
import type { MessagePort } from 'node:worker_threads';
import type { ChallengeCertificate } from './acme/certificate-request.ts';
import type { ControlPlane, FeedListener, PlanFacts } from './protocol/control-plane.ts';
import { EdgeCallRefused } from './protocol/client.ts';
import type { ClientNetwork } from './protocol/client-network.ts';
import type { GatewayDefinition } from './protocol/gateway.ts';
import type { RequestBatch } from './protocol/request-log.ts';
import type { EdgeFigures, EdgeStanding } from './edge-figures.ts';
import type { StaticPlanFacts } from './protocol/static-plan.ts';

type Call = 'plan' | 'sync' | 'staticPlans' | 'gateways' | 'networks' | 'logRequests' | 'claim' | 'report';
export type News =
  | { changed: { planId: string; epoch: number } }
  | { staticChanged: string | undefined }
  | { gatewaysChanged: true }
  | { networksChanged: true }
  | { beat: true }
  | { lost: true };

export interface CallOfWorker {
  call: Call;
  id: number;
  argument: unknown;
}

export type FromWorker =
  | CallOfWorker
  | { ready: { endpoints: readonly { address: string; port: number }[] } }
  | { figures: EdgeFigures; standing: EdgeStanding }
  | { followed: number }
  | { ended: true };
export type ToWorker =
  | { answer: number; value?: unknown; failed?: string; status?: number | undefined }
  | { news: News }
  | { order: readonly ChallengeCertificate[]; id: number }
  | { end: { patienceMs: number } };

/** Messages between threads turn a Buffer into a Uint8Array. */
const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The control plane of a worker: calls go through the main thread. */
export function controlPlaneOverPort(port: Pick<MessagePort, 'postMessage' | 'on'>): ControlPlane {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const listeners = new Set<FeedListener>();
  let last = 0;
  const call = (name: Call, argument: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      port.postMessage({ call: name, id: last, argument } satisfies FromWorker);
    });
  port.on('message', (message: ToWorker) => {
    if ('news' in message) for (const listener of listeners) hear(listener, message.news);
    if (!('answer' in message)) return;
    const asker = waiting.get(message.answer);
    waiting.delete(message.answer);
    if (message.failed === undefined) asker?.resolve(message.value);
    else asker?.reject(message.status === undefined ? new Error(message.failed) : new EdgeCallRefused(message.status));
  });
  return {
    async plan(username) {
      const facts = (await call('plan', username)) as PlanFacts | undefined;
      return facts && { ...facts, fingerprint: toBuffer(facts.fingerprint), oldFingerprints: facts.oldFingerprints.map(toBuffer) };
    },
    sync: (request) => call('sync', request) as ReturnType<ControlPlane['sync']>,
    async staticPlans(ids) {
      const plans = (await call('staticPlans', ids)) as StaticPlanFacts[];
      return plans.map((plan) => ({
        ...plan,
        fingerprint: toBuffer(plan.fingerprint),
        oldFingerprints: plan.oldFingerprints?.map(toBuffer),
      }));
    },
    gateways: () => call('gateways', undefined) as Promise<GatewayDefinition[]>,
    networks: () => call('networks', undefined) as Promise<ClientNetwork[]>,
    logRequests: async (batch: RequestBatch) => void (await call('logRequests', batch)),
    claim: (claims) => call('claim', claims) as ReturnType<ControlPlane['claim']>,
    report: (status) => call('report', status) as ReturnType<ControlPlane['report']>,
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function hear(listener: FeedListener, news: News): void {
  if ('changed' in news) listener.changed(news.changed);
  else if ('staticChanged' in news) listener.staticChanged?.(news.staticChanged);
  else if ('gatewaysChanged' in news) listener.gatewaysChanged?.();
  else if ('networksChanged' in news) listener.networksChanged?.();
  else if ('beat' in news) listener.beat();
  else listener.lost();
}

/** Used by the main thread: calls the platform for a worker. */
export async function answerCall(controlPlane: ControlPlane, { call, id, argument }: CallOfWorker): Promise<ToWorker> {
  try {
    const ask = controlPlane[call] as ((given: unknown) => Promise<unknown>) | undefined;
    return { answer: id, value: await (ask ? ask(argument) : []) };
  } catch (error) {
    return { answer: id, failed: String(error), status: error instanceof EdgeCallRefused ? error.status : undefined };
  }
}
