// The platform over HTTP, for nodes in places of their own: exchanges on kept connections, and a feed that comes back by itself.
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { together } from '#platform/together.ts';
import {
  type ClaimedSession,
  type ControlPlane,
  type FeedListener,
  MAX_USERNAMES,
  type PlanFacts,
  type StaticPlanFacts,
  type SyncAnswer,
} from './protocol/control-plane.ts';

export interface RemoteControlPlaneOptions {
  /** Base address of the platform. */
  url: string;
  /** The node's own key. */
  key: string;
  log: Log;
}

const TIMEOUT_MS = 2 * SECOND;
/** The feed beats every second. */
const SILENCE_MS = 3 * SECOND;
const RETRY_MS = 250;
const LONGEST_ANSWER = 32 * 1_048_576;

export function remoteControlPlane({ url, key, log }: RemoteControlPlaneOptions): ControlPlane {
  const secure = url.startsWith('https:');
  const agent = secure ? new HttpsAgent({ keepAlive: true, maxSockets: 8 }) : new HttpAgent({ keepAlive: true, maxSockets: 8 });
  const send = secure ? httpsRequest : httpRequest;
  const headers = { Authorization: `Bearer ${key}` };

  const call = (path: string, body?: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request = send(
        new URL(path, url),
        { method: body ? 'POST' : 'GET', agent, headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) } },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('error', reject);
          response.on('data', (chunk: string) => {
            text += chunk;
            if (text.length > LONGEST_ANSWER) request.destroy(new Error('the answer is too long'));
          });
          response.on('end', () => {
            if (response.statusCode !== 200) reject(new Error(`the platform answered ${response.statusCode}`));
            else
              try {
                resolve(JSON.parse(text));
              } catch (error) {
                reject(error as Error);
              }
          });
        },
      );
      request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error('the platform did not answer in time')));
      request.on('error', reject);
      request.end(body && JSON.stringify(body));
    });

  // Names that come while others are being asked for are asked for together: a flood of guesses costs a few questions.
  const ask = together({
    async work(usernames: readonly string[]): Promise<PlanAnswer[]> {
      try {
        const found =
          usernames.length === 1
            ? [await call(`/edge/plan?username=${encodeURIComponent(usernames[0] as string)}`)]
            : ((await call('/edge/plans', { usernames })) as unknown[]);
        return found.map((told) => ({ facts: toFacts(told as ToldFacts | null) }));
      } catch (error) {
        // All alike: asked again one by one, each would wait for a platform that is away.
        return usernames.map(() => ({ error: error as Error }));
      }
    },
    sizeOf: () => 1,
    most: MAX_USERNAMES,
    lanes: 4,
  });

  return {
    async plan(username) {
      const answer = await ask(username);
      if ('error' in answer) throw answer.error;
      return answer.facts;
    },
    sync: async (request) => (await call('/edge/sync', request)) as SyncAnswer,
    async staticPlans(ids = []) {
      const query = ids.map((id) => `id=${encodeURIComponent(id)}`).join('&');
      const plans = (await call(`/edge/static-plans?${query}`)) as (Omit<StaticPlanFacts, 'fingerprint' | 'oldFingerprints'> & {
        fingerprint: string;
        oldFingerprints?: string[];
      })[];
      const bytes = (hex: string) => Buffer.from(hex, 'hex');
      return plans.map((plan) => ({ ...plan, fingerprint: bytes(plan.fingerprint), oldFingerprints: plan.oldFingerprints?.map(bytes) }));
    },
    claim: async (claims) => (await call('/edge/claims', claims)) as ClaimedSession[],
    report: async (status) => (await call('/edge/status', status)) as { draining: boolean },
    follow(listener) {
      let stopped = false;
      let current: ReturnType<typeof send> | undefined;
      let retry: NodeJS.Timeout | undefined;
      const open = () => {
        let ended = false;
        const end = () => {
          if (ended) return;
          ended = true;
          listener.lost();
          current?.destroy();
          if (!stopped) retry = setTimeout(open, RETRY_MS);
        };
        current = send(new URL('/edge/feed', url), { headers, agent: false }, (response) => {
          if (response.statusCode !== 200) {
            log.warn({ status: response.statusCode }, 'the feed is refused');
            response.resume();
            end();
            return;
          }
          readLines(response, listener);
          response.on('close', end);
          response.on('error', end);
        });
        current.setTimeout(SILENCE_MS, end);
        current.on('error', end);
        current.end();
      };
      open();
      return () => {
        stopped = true;
        clearTimeout(retry);
        current?.destroy();
        agent.destroy();
      };
    },
  };
}

type ToldFacts = Omit<PlanFacts, 'fingerprint' | 'oldFingerprints'> & { fingerprint: string; oldFingerprints: string[] };
type PlanAnswer = { facts: PlanFacts | undefined } | { error: Error };

function toFacts(told: ToldFacts | null): PlanFacts | undefined {
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  return told ? { ...told, fingerprint: bytes(told.fingerprint), oldFingerprints: told.oldFingerprints.map(bytes) } : undefined;
}

function readLines(response: IncomingMessage, listener: FeedListener): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const news = JSON.parse(line) as { planId?: string; epoch?: number; staticPlan?: string };
      listener.beat();
      if (news.staticPlan !== undefined) listener.staticChanged?.(news.staticPlan);
      if (news.planId !== undefined) listener.changed({ planId: news.planId, epoch: news.epoch ?? 0 });
    }
  });
}
