// A page of the documents, compressed, compared with a bare server that sends the same bytes from memory.
import autocannon from 'autocannon';
import { median, openBenchWorld } from './world.ts';

const PATH = '/docs/api/generate_residential_proxies';

async function throughput(url: string, seconds: number): Promise<number> {
  const result = await autocannon({ url, connections: 32, duration: seconds, headers: { 'accept-encoding': 'br' } });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} answers were not 200, ${result.errors} errors`);
  return result.requests.average;
}

export async function bench(short: boolean): Promise<void> {
  const [rounds, seconds] = short ? [1, 1] : [5, 4];
  const world = await openBenchWorld();
  try {
    const egress = await world.serve('./serve-egress.ts');
    const peer = await world.serve('./serve-same-bytes.ts', { FROM: `${egress.url}${PATH}` });
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await throughput(`${egress.url}${PATH}`, seconds));
      theirs.push(await throughput(peer.url, seconds));
    }
    const ratio = median(ours.map((value, index) => value / (theirs[index] ?? Number.NaN)));
    console.log(
      `  egress ${median(ours).toFixed(0)} pages/s, the same bytes from memory ${median(theirs).toFixed(0)} pages/s: ratio ${ratio.toFixed(2)}`,
    );
  } finally {
    await world.close();
  }
}
