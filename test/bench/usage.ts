// GET /v1/residential/{id}/usage through key, limit, adapter, gateway, subgraph and PostgreSQL, compared with the same by hand. Goal: 0.8 of its throughput.
import autocannon from 'autocannon';
import { median, openBenchWorld } from './world.ts';

/** Each key is limited to 120 requests a minute; with this many no limit is reached during a run. */
const ACCOUNTS = 6_000;
const CONNECTIONS = 32;

async function throughput(url: string, accounts: { authorization: string; planId: string }[], seconds: number): Promise<number> {
  let next = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: Array.from({ length: 1 }, () => ({
      method: 'GET' as const,
      setupRequest(request: autocannon.Request) {
        const { authorization, planId } = accounts[next++ % accounts.length] ?? { authorization: '', planId: '' };
        return { ...request, path: `/v1/residential/${planId}/usage`, headers: { authorization } };
      },
    })),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were not 200, ${result.errors} errors`);
  return result.requests.average;
}

export async function bench(short: boolean): Promise<void> {
  const [rounds, seconds, size] = short ? [1, 1, 200] : [5, 4, ACCOUNTS];
  const world = await openBenchWorld();
  try {
    const egress = await world.serve('./serve-egress.ts', { ACCOUNTS: String(size) });
    const peer = await world.serve('./serve-fastify.ts');
    const accounts = egress.ready['accounts'] as { authorization: string; planId: string }[];
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = short ? 1 : 0; round <= rounds; round++) {
      const [a, b] = [await throughput(egress.url, accounts, seconds), await throughput(peer.url, accounts, seconds)];
      // The first round is a warm-up.
      if (round > 0) {
        ours.push(a);
        theirs.push(b);
      }
    }
    const ratio = median(ours.map((value, index) => value / (theirs[index] ?? Number.NaN)));
    console.log(
      `  egress ${median(ours).toFixed(0)} requests/s, Fastify + pg by hand ${median(theirs).toFixed(0)} requests/s: ratio ${ratio.toFixed(2)} (goal 0.80)`,
    );
  } finally {
    await world.close();
  }
}
