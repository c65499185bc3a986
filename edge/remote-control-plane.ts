// The control plane over HTTP, for nodes elsewhere: at one address, or with a separate address for static plans where the platform's parts run in
// separate processes.
import type { Log } from '#platform/log.ts';
import { coalesce } from '#platform/coalesce.ts';
import { createNodePass } from './node-pass.ts';
import { type EdgeClient, askStaticPlans, createEdgeClient, isRefused, tellStaticNetworks } from './protocol/client.ts';
import { type ControlPlane, type FeedListener, MAX_USERNAMES, type PlanFacts } from './protocol/control-plane.ts';
import { CLIENT_NETWORKS_ANSWER } from './protocol/client-network.ts';
import { gatewayShape } from './protocol/gateway.ts';
import { CLAIMS_ANSWER, GATEWAYS_ANSWER, PLANS_ANSWER, PLAN_ANSWER, STATUS_ANSWER, SYNC_ANSWER } from './protocol/messages.ts';
import { REQUESTS_ANSWER } from './protocol/request-log.ts';
import { followRemote } from './remote-feed.ts';

export interface RemoteControlPlaneOptions {
  /** Base address of the platform. */
  url: string;
  /** Base address of static, if it has its own; absent: the platform's. */
  staticUrl?: string | undefined;
  /** The node's own key. */
  key: string;
  log: Log;
}

type PlanAnswer = { facts: PlanFacts | undefined } | { error: Error };

function readPlan(message: unknown): PlanAnswer {
  const { data, error } = PLAN_ANSWER.safeParse(message);
  return error ? { error } : { facts: data ?? undefined };
}

export function remoteControlPlane({ url, staticUrl, key, log }: RemoteControlPlaneOptions): ControlPlane {
  const client = createEdgeClient({ url, token: () => key });
  const statics = staticUrl === undefined ? undefined : remoteStaticPlans(staticUrl, client, log);

  // Usernames that arrive during a request are sent together in the next one: a flood of guesses causes few requests.
  const ask = coalesce({
    async work(usernames: readonly string[]): Promise<PlanAnswer[]> {
      try {
        const [only, ...more] = usernames;
        if (only !== undefined && more.length === 0)
          return [{ facts: (await client.call(`/edge/plan?username=${encodeURIComponent(only)}`, PLAN_ANSWER)) ?? undefined }];
        return (await client.call('/edge/plans', PLANS_ANSWER, { usernames })).map(readPlan);
      } catch (error) {
        // All get the same error: if they were retried one by one, each would wait for the timeout.
        return usernames.map(() => ({ error: error as Error }));
      }
    },
    sizeOf: () => 1,
    maxBatchSize: MAX_USERNAMES,
    concurrency: 4,
  });

  return {
    async plan(username) {
      const answer = await ask(username);
      if ('error' in answer) throw answer.error;
      return answer.facts;
    },
    sync: (request) => client.call('/edge/sync', SYNC_ANSWER, request),
    staticPlans: (ids) => (statics ? statics.plans(ids) : askStaticPlans(client, ids)),
    async gateways() {
      const answer = await client.call('/edge/gateways', GATEWAYS_ANSWER);
      return answer.flatMap((gateway) => {
        const { data, error } = gatewayShape.safeParse(gateway);
        if (error) log.warn({ error: error.message }, 'a gateway of the platform is none that this node can use');
        return data ?? [];
      });
    },
    networks: () => client.call('/edge/networks', CLIENT_NETWORKS_ANSWER),
    logRequests: async (batch) => void (await client.call('/edge/requests', REQUESTS_ANSWER, batch)),
    claim: (claims) => client.call('/edge/claims', CLAIMS_ANSWER, claims),
    async report({ staticNetworksUsed = [], ...status }) {
      const answer = await client.call('/edge/status', STATUS_ANSWER, status);
      // Static may be away while residential is not, and a platform of an earlier release has no networks there. The next report tells again.
      if (staticNetworksUsed.length > 0)
        await (statics ? statics.networksUsed(staticNetworksUsed) : tellStaticNetworks(client, staticNetworksUsed)).catch(
          (error: unknown) => log.debug({ error: String(error) }, 'the platform does not take the networks of static plans'),
        );
      return answer;
    },
    follow(listener) {
      const stop = followRemote(client, log, statics ? withoutStatics(listener) : listener);
      const stopStatics = statics?.follow((planId) => listener.staticChanged?.(planId));
      return () => {
        stop();
        stopStatics?.();
        client.close();
      };
    },
  };
}

/** Drops changes of static plans from residential's feed, since static's feed has them as well. */
const withoutStatics = (listener: FeedListener): FeedListener => ({
  changed: (change) => listener.changed(change),
  gatewaysChanged: () => listener.gatewaysChanged?.(),
  networksChanged: () => listener.networksChanged?.(),
  beat: () => listener.beat(),
  lost: () => listener.lost(),
});

/** Static at its own address. `platform` gives this node its passes. */
function remoteStaticPlans(url: string, platform: EdgeClient, log: Log) {
  const pass = createNodePass(platform);
  const client = createEdgeClient({ url, token: () => pass.token() });
  /** A pass that is refused is asked for anew by the next call. */
  const withPass = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      if (isRefused(error)) pass.forget();
      throw error;
    }
  };
  return {
    plans: (ids?: readonly string[]) => withPass(askStaticPlans(client, ids)),
    networksUsed: (ids: readonly string[]) => withPass(tellStaticNetworks(client, ids)),
    /** Beats of this feed do not concern residential plans. After it was disconnected, any static plan may have changed. */
    follow(changed: (planId?: string) => void): () => void {
      let stands = false;
      const stop = followRemote(client, log, {
        changed: () => {},
        staticChanged: changed,
        beat() {
          if (!stands) changed();
          stands = true;
        },
        lost() {
          stands = false;
        },
      });
      return () => {
        stop();
        client.close();
      };
    },
  };
}
