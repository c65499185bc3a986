// 10,000 sticky lines by REST, compared with stringifying and sending the same body from memory. Goal: at most 3 times its time.
import { Agent, request } from 'undici';
import { median, openBenchWorld } from './world.ts';

/** The time of one answer, and the bytes of its body as they came. */
async function measured(agent: Agent, url: string, headers: Record<string, string>): Promise<{ ms: number; bytes: number }> {
  const started = performance.now();
  const { statusCode, body } = await request(url, { dispatcher: agent, headers });
  const { byteLength: bytes } = await body.arrayBuffer();
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  return { ms: performance.now() - started, bytes };
}

/** Of the requests without a coding, one in so many is made with each: a key has 120 a minute. */
const CODED_EVERY = 5;
const CODINGS = ['gzip', 'br', 'zstd'] as const;

export async function bench(short: boolean): Promise<void> {
  // The limit is 120 requests a minute per key, so each account makes only a few.
  const [accountsCount, perAccount] = short ? [1, 5] : [10, 60];
  const world = await openBenchWorld();
  const agent = new Agent({ connections: 1 });
  try {
    const egress = await world.serve('./serve-egress.ts', { ACCOUNTS: String(accountsCount) });
    const peer = await world.serve('./serve-ready-body.ts');
    const ours: number[] = [];
    const theirs: number[] = [];
    const coded = Object.fromEntries(CODINGS.map((coding) => [coding, { ms: [] as number[], bytes: 0 }]));
    for (const { authorization, planId } of egress.ready['accounts'] as { authorization: string; planId: string }[]) {
      for (let index = 0; index < perAccount; index++) {
        const url = `${egress.url}/v1/residential/${planId}/proxies?sticky=true&pool=de&quantity=10000`;
        ours.push((await measured(agent, url, { authorization })).ms);
        theirs.push((await measured(agent, peer.url, {})).ms);
        if (index % CODED_EVERY > 0) continue;
        for (const [coding, seen] of Object.entries(coded)) {
          const { ms, bytes } = await measured(agent, url, { authorization, 'accept-encoding': coding });
          seen.ms.push(ms);
          seen.bytes = bytes;
        }
      }
    }
    console.log(
      `  egress ${median(ours).toFixed(2)} ms, ready body ${median(theirs).toFixed(2)} ms: ratio ${(median(ours) / median(theirs)).toFixed(2)} (goal 3.00)`,
    );
    for (const [coding, { ms, bytes }] of Object.entries(coded))
      console.log(
        `  ${coding}: ${(bytes / 1_000).toFixed(0)} kB in ${median(ms).toFixed(2)} ms, ${(median(ms) / median(ours)).toFixed(2)} of the time without`,
      );
  } finally {
    await agent.close();
    await world.close();
  }
}
