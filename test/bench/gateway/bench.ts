// What one operation costs the gateway, compared with the library's own executor: CPU of the gateway's process, with subgraphs over HTTP and in process.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { graphql } from 'graphql';
import { median } from '../world.ts';
import type { Told, Variant } from './serve-gateway.ts';
import { SUBGRAPHS } from './shop.ts';

const VARIANTS: readonly Variant[] = ['stock', 'stock, pooled', 'stock, in process', 'compiled', 'compiled, in process'];
/** Ratios of CPU: variant, to which it is compared, and the goal. */
const RATIOS: readonly (readonly [Variant, Variant, number | undefined])[] = [
  ['compiled', 'stock, pooled', 0.25],
  ['compiled', 'stock', undefined],
  ['compiled, in process', 'stock, pooled', 0.15],
  ['compiled, in process', 'stock, in process', undefined],
];

/** Answers each body from memory once it has answered it; its CPU is not counted. */
async function serveCanned({ schema }: (typeof SUBGRAPHS)[number]): Promise<{ url: string; server: Server }> {
  const canned = new Map<string, Promise<string>>();
  const answerOf = async (body: string) => {
    const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
    return JSON.stringify(await graphql({ schema, source: query, variableValues: variables }));
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    const known = canned.get(body) ?? answerOf(body);
    canned.set(body, known);
    const text = await known;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, server };
}

async function start(variant: Variant, urls: Record<string, string>): Promise<ChildProcess> {
  const child = fork(new URL('./serve-gateway.ts', import.meta.url), {
    execArgv: [],
    env: { ...process.env, NODE_ENV: 'production', VARIANT: variant, URLS: JSON.stringify(urls) },
  });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the gateway ${variant} ended with ${code}`)));
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return child;
}

async function run(child: ChildProcess, operations: number): Promise<Told> {
  child.send(operations);
  return (await once(child, 'message'))[0] as Told;
}

export async function bench(short: boolean): Promise<void> {
  const [rounds, operations, warm] = short ? [1, 10, 10] : [5, 100, 200];
  const served = await Promise.all(SUBGRAPHS.map(async (subgraph) => ({ name: subgraph.name, ...(await serveCanned(subgraph)) })));
  const urls = Object.fromEntries(served.map(({ name, url }) => [name, url]));
  const children = new Map<Variant, ChildProcess>();
  try {
    for (const variant of VARIANTS) children.set(variant, await start(variant, urls));
    const told = new Map<Variant, Told[]>(VARIANTS.map((variant) => [variant, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const [variant, child] of children) {
        // The first round is a warm-up.
        const one = await run(child, round === 0 ? warm : operations);
        if (round > 0) told.get(variant)?.push(one);
      }
    }
    report(told);
  } finally {
    for (const child of children.values()) child.kill();
    for (const { server } of served) {
      server.closeAllConnections();
      server.close();
    }
  }
}

function report(told: ReadonlyMap<Variant, readonly Told[]>): void {
  const of = (variant: Variant, figure: 'microseconds' | 'peak' | 'heap') => (told.get(variant) ?? []).map((one) => one[figure]);
  const answers = new Set([...told.values()].flatMap((those) => those.map(({ digest }) => digest)));
  if (answers.size !== 1) throw new Error('the gateways do not answer the same bytes');
  for (const [variant, those] of told) {
    const mib = (figure: 'peak' | 'heap') => (median(of(variant, figure)) / 2 ** 20).toFixed(0);
    console.log(
      `  ${variant}: ${median(of(variant, 'microseconds')).toFixed(0)} us of CPU for ${those[0]?.bytes} bytes; at most ${mib('peak')} MiB, heap ${mib('heap')} MiB`,
    );
  }
  for (const [variant, peer, goal] of RATIOS) {
    const theirs = of(peer, 'microseconds');
    const ratio = median(of(variant, 'microseconds').map((value, index) => value / (theirs[index] ?? Number.NaN)));
    console.log(`  ${variant} to ${peer}: ${ratio.toFixed(2)}${goal === undefined ? '' : ` (goal ${goal.toFixed(2)})`}`);
  }
}
