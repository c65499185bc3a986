// 10,000 sticky lines by REST, compared with stringifying and sending the same body from memory. Goal: at most 3 times its time.
import { Agent, request } from 'undici';
import { median, openBenchWorld } from './world.ts';

async function milliseconds(agent: Agent, url: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now();
  const { statusCode, body } = await request(url, { dispatcher: agent, headers });
  await body.arrayBuffer();
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  return performance.now() - started;
}

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
    for (const { authorization, planId } of egress.ready['accounts'] as { authorization: string; planId: string }[]) {
      for (let index = 0; index < perAccount; index++) {
        ours.push(
          await milliseconds(agent, `${egress.url}/v1/residential/${planId}/proxies?sticky=true&pool=de&quantity=10000`, { authorization }),
        );
        theirs.push(await milliseconds(agent, peer.url, {}));
      }
    }
    console.log(
      `  egress ${median(ours).toFixed(2)} ms, ready body ${median(theirs).toFixed(2)} ms: ratio ${(median(ours) / median(theirs)).toFixed(2)} (goal 3.00)`,
    );
  } finally {
    await agent.close();
    await world.close();
  }
}
