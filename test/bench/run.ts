// `npm run bench [-- NAME ...] [--smoke]`: measures ratios against a peer in the same run, as medians of alternating rounds. Not part of the tests.
import { parseArgs } from 'node:util';

/** Name -> module with `bench(short)`, which prints one line per figure. */
const BENCHES: Record<string, () => Promise<{ bench(short: boolean): Promise<void> }>> = {
  gateway: () => import('./gateway/bench.ts'),
  live: () => import('./live/bench.ts'),
  usage: () => import('./usage.ts'),
  generate: () => import('./generate.ts'),
  docs: () => import('./docs.ts'),
  edge: () => import('./edge/bench.ts'),
  exits: () => import('./exits.ts'),
  blocklists: () => import('./blocklists.ts'),
  leasing: () => import('./edge/leasing.ts'),
  'server-metrics': () => import('./server-metrics.ts'),
  metering: () => import('./metering.ts'),
  static: () => import('./static.ts'),
};

const { values, positionals } = parseArgs({ options: { smoke: { type: 'boolean', default: false } }, allowPositionals: true });
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
for (const name of names) {
  const load = BENCHES[name];
  if (!load) {
    console.error(`There is no bench ${name}; there are: ${Object.keys(BENCHES).join(', ')}.`);
    process.exit(1);
  }
  console.log(`\n${name}${values.smoke ? ' (short form: shows that it runs, not how fast)' : ''}`);
  const { bench } = await load();
  await bench(values.smoke);
}
process.exit(0);
