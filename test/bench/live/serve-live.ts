// A gateway with its sockets in a process of its own, over a feed that this process publishes to, and says what that cost. SOCKETS: how many there will be; QUERY: to what.
import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import type { ResultStream } from '../../../gateway/graph/sources/source.ts';
import { startSite } from '../../gateway/site.ts';
import { customer } from '../../gateway/world.ts';

const query = process.env['QUERY'] ?? '';
const EVENTS = 20;

/** What the parent asks for: one event; what it cost until all have it; what the process holds; the same without sockets. */
export type Asked = 'publish' | 'arrived' | 'held' | 'within';

export interface Published {
  /** Microseconds of CPU of this process for one event. */
  microseconds: number;
}

export interface Held {
  rss: number;
  subscriptions: number;
  feeds: number;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const sockets = Number(process.env['SOCKETS']);
const site = await startSite({
  sockets: {
    connections: 2 * sockets,
    connectionsPerAccount: 2 * sockets,
    connectsPerCaller: { burst: 2 * sockets, perSecond: sockets },
  },
  requests: { account: { burst: 2 * sockets, perSecond: sockets } },
  front: { upgradeLimits: { openPerAddress: 2 * sockets, connectsPerAddress: { burst: 2 * sockets, perSecond: sockets } } },
  feeds: { planChanged: 'NEWS' },
});
for (let index = 0; index < sockets; index++) site.world.sessions.set(`token-${index}`, { accountId: 'a', sessionId: `s${index}` });

let before = process.cpuUsage();
const ANSWERS: Record<Asked, () => Promise<Held | Published | undefined>> = {
  async publish() {
    before = process.cpuUsage();
    site.world.publish('1');
    return undefined;
  },
  async arrived() {
    const { user, system } = process.cpuUsage(before);
    return { microseconds: user + system };
  },
  async held() {
    collect();
    const of = async (name: 'subscriptions' | 'feeds') => (await site.metrics[name].get()).values[0]?.value ?? 0;
    return { rss: process.memoryUsage().rss, subscriptions: await of('subscriptions'), feeds: await of('feeds') };
  },
  async within() {
    const operation = site.gateway.prepare(query);
    const subscribe = () => site.gateway.subscribe(operation, { viewer: customer('a') }) as Promise<ResultStream>;
    const streams = await Promise.all(Array.from({ length: sockets }, subscribe));
    let began = process.cpuUsage();
    // The first event is a warm-up.
    for (let event = 0; event <= EVENTS; event++) {
      if (event === 1) began = process.cpuUsage();
      site.world.publish('1');
      await Promise.all(streams.map((stream) => stream.next()));
    }
    const { user, system } = process.cpuUsage(began);
    await Promise.all(streams.map((stream) => stream.return?.()));
    return { microseconds: (user + system) / EVENTS };
  },
};

process.on('message', async (asked: Asked) => {
  const answer = await ANSWERS[asked]();
  if (answer) process.send?.(answer);
});
process.send?.(site.url);
