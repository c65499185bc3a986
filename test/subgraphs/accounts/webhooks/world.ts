// The world of accounts with webhook receivers on this machine, and with events that other rooms would tell.
import { inTransaction } from '#platform/database.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import type { Fact } from '../../../kit/events.ts';
import { startBilling } from '../billing/world.ts';
import { type AccountsWorld, dataOf } from '../world.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export const ADD =
  'mutation ($input: WebhookEndpointInput!) { webhookEndpointAdd(input: $input) { secret endpoint { id url eventTypes disabledAt } } }';
const STATE =
  'query ($id: ID!) { webhookEndpoint(id: $id) { failures failingSince nextTryAt waiting disabledAt disabledBecause previousSecretUntil attempts(first: 100) { items { outcome status said askedBy event { id type subject } } } } }';

export interface State {
  failures: number;
  failingSince: string | null;
  nextTryAt: string | null;
  waiting: number;
  disabledAt: string | null;
  disabledBecause: string | null;
  previousSecretUntil: string | null;
  attempts: {
    items: {
      outcome: string;
      status: number | null;
      said: string;
      askedBy: string;
      event: { id: string; type: string; subject: string };
    }[];
  };
}

export async function startWebhooks() {
  const world = await startBilling({ WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const receivers: Receiver[] = [];
  return {
    ...world,
    async receiver(): Promise<Receiver> {
      const receiver = await startReceiver();
      receivers.push(receiver);
      return receiver;
    },
    async endpoint(viewer: Parameters<AccountsWorld['ask']>[0], url: string, more: object = {}) {
      const added = await world.ask(viewer, ADD, { input: { url, ...more } });
      const { secret, endpoint } = dataOf<{ secret: string; endpoint: { id: string } }>(added, 'webhookEndpointAdd');
      return { id: endpoint.id, secret };
    },
    state: async (viewer: Parameters<AccountsWorld['ask']>[0], id: string): Promise<State> =>
      dataOf(await world.ask(viewer, STATE, { id }), 'webhookEndpoint'),
    /** Appends events, each in its own transaction, and resolves when every reader has handled them. */
    async tell(...facts: Fact[]): Promise<void> {
      for (const fact of facts)
        await inTransaction(world.context(), ({ em }) => appendEvents(em, { at: world.clock.now(), ...fact } as NewEvent));
      await this.settle();
    },
    /** Reads all events and runs the work that follows from them. */
    async settle(): Promise<void> {
      for (let again = true; again; again = await world.settle()) await world.subgraph.reader.drain();
    },
    /** Runs the sweep that runs every minute, and the jobs that it begins. */
    async sweep(): Promise<void> {
      await world.platform.queue.runNow('accounts.webhooks-sweep');
      await world.platform.queue.drain();
    },
    async close() {
      for (const receiver of receivers) await receiver.close();
      await world.close();
    },
  };
}

export type WebhooksWorld = Awaited<ReturnType<typeof startWebhooks>>;

/** The event that a residential plan of the account was paused. */
export const paused = (accountId: string, planId: string): Fact => ({
  type: 'residential_plan.paused',
  accountId,
  subject: planId,
  data: { planId },
});
