// One gateway in a process of its own, which says what its operations cost. VARIANT: which one; URLS: the subgraphs' addresses in JSON, by name.
import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApolloGateway, LocalGraphQLDataSource, RemoteGraphQLDataSource } from '@apollo/gateway';
import { parse } from 'graphql';
import { Pool } from 'undici';
import { systemClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { WrittenAnswer, createGateway } from '../../../gateway/graph/gateway.ts';
import { inProcessSource } from '../../../gateway/graph/sources/in-process.ts';
import { remoteSource } from '../../../gateway/graph/sources/remote.ts';
import { OPERATION, SUBGRAPHS, supergraphOf } from './shop.ts';

export type Variant = 'stock' | 'stock, pooled' | 'stock, in process' | 'compiled' | 'compiled, in process';

/** Resolves with the answer as it would be sent. */
type Operate = () => Promise<Buffer>;

const urls = JSON.parse(process.env['URLS'] ?? '{}') as Record<string, string>;
const supergraphSdl = supergraphOf(urls);

/** The library as it comes, or with what `process` makes of its requests. */
async function stock(sourceOf: (name: string, url: string) => object): Promise<Operate> {
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name, url }) => sourceOf(name, url ?? '') as never,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const { schema, executor } = await gateway.load();
  const document = parse(OPERATION);
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  return async () => {
    const answer = await executor({
      document,
      request: { query: OPERATION, variables: {} },
      operationName: 'Shop',
      operation: document.definitions.at(-1),
      queryHash: 'shop',
      source: OPERATION,
      schema,
      context: {},
      cache: {},
      metrics: {},
      logger,
      overallCachePolicy: {},
    } as never);
    return Buffer.from(JSON.stringify(answer));
  };
}

/** What the library's own source does, over the same pool of connections as ours. */
function pooled(url: string): object {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 64 });
  return {
    async process({ request: { query, variables } }: { request: { query: string; variables: object } }) {
      const body = JSON.stringify({ query, variables });
      const answer = await pool.request({ path: pathname, method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return answer.body.json();
    },
  };
}

async function ours(inProcess: boolean): Promise<Operate> {
  const secret = ['a secret of at least thirty-two characters'] as const;
  const sources = Object.fromEntries(
    SUBGRAPHS.map((subgraph) => [
      subgraph.name,
      inProcess
        ? inProcessSource(subgraph, silentLog)
        : remoteSource(urls[subgraph.name] ?? '', secret, systemClock, { log: silentLog, audience: subgraph.name }),
    ]),
  );
  const gateway = await createGateway({ supergraphSdl, sources, log: silentLog, metrics: createMetrics(), clock: systemClock });
  const viewer = { kind: 'anonymous', address: '203.0.113.7', requestId: 'req_bench' } as const;
  const operation = gateway.prepare(OPERATION);
  return async () => {
    const answer = await gateway.write(operation, { viewer, signal: new AbortController().signal });
    return Buffer.from(answer instanceof WrittenAnswer ? answer.text : JSON.stringify(answer));
  };
}

const START: Record<Variant, () => Promise<Operate>> = {
  stock: () => stock((_name, url) => new RemoteGraphQLDataSource({ url })),
  'stock, pooled': () => stock((_name, url) => pooled(url)),
  'stock, in process': () =>
    stock((name) => new LocalGraphQLDataSource(SUBGRAPHS.find((subgraph) => subgraph.name === name)?.schema as never)),
  compiled: () => ours(false),
  'compiled, in process': () => ours(true),
};

/** What a variant says of the operations that it was told to run. `peak`: bytes of the process at its largest. */
export interface Told {
  microseconds: number;
  peak: number;
  heap: number;
  digest: string;
  bytes: number;
}

const operate = await START[process.env['VARIANT'] as Variant]();
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const AT_ONCE = 8;

process.on('message', async (operations: number) => {
  let left = operations;
  const before = process.cpuUsage();
  let answer: Buffer = Buffer.alloc(0);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) answer = await operate();
    }),
  );
  const { user, system } = process.cpuUsage(before);
  collect();
  const digest = createHash('sha256').update(answer).digest('hex');
  const told: Told = {
    microseconds: (user + system) / operations,
    peak: process.resourceUsage().maxRSS * 1_024,
    heap: process.memoryUsage().heapUsed,
    digest,
    bytes: answer.length,
  };
  process.send?.(told);
});
process.send?.('ready');
