// `npm run prove [-- NAME ...] [--smoke] [--shard 1/2]`: proofs that take longer than a test may. Not part of the tests. A shard is every second (third ...) of them.
import { parseArgs } from 'node:util';
import { type Part, everyFault, everyForm, exercises, simulatedWorlds, suite } from './suite.ts';

/** The short form of each takes a minute at most. */
const PROOFS: Record<string, readonly Part[]> = {
  // Response times do not reveal which addresses have an account; a flood of log-ins stays bounded.
  accounts: [suite('accounts', 0.02)],
  // Webhooks from a sender that is killed, to receivers that fail and answer nonsense; requests made of the OpenAPI document; the three ways in agree.
  api: [suite('api', 0.02)],
  // Webhooks that come twice, late, out of order or never; repeated purchases, forgeries, killed processes, every path of a renewal, chains of changes, every
  // pair of operations that move money at once.
  billing: [suite('billing', 0.003)],
  // What ARCHITECTURE.md says of additions is true: a copy of the tree with all of them passes types and contracts.
  changes: [exercises],
  // Every page looks like its approved screenshot, and has no violation and no shift in any form; a page that stays open leaks no memory; Lighthouse's scores of
  // the public pages.
  dashboard: [suite('dashboard', 0.05), everyForm],
  // A thousand simulated worlds of the metering protocol, then real nodes with a real ledger.
  edge: [simulatedWorlds(1_000, 20), suite('edge', 0.02)],
  // Floods, stalls, lock-outs, hoarding and poison, one after another and all at once: the effect on good customers is bounded.
  hostile: [suite('hostile', 0.02)],
  // The image is built, sells in production mode, and stops on request.
  image: [suite('image', 1)],
  // Addresses are sold once, and none is lost, whatever happens at the same time.
  inventory: [async (smoke) => (await import('./inventory.ts')).prove(smoke)],
  // The image that servers boot for rescue, to be wiped and for another password is made, and does each on a machine; needs QEMU, mmdebstrap and root.
  'live-system': [suite('live-system', 0)],
  // The ledger stays exact when reports are repeated, reordered, split or late and processes are killed; over-use is bounded; how soon a pause takes effect.
  metering: [suite('metering', 0.01), simulatedWorlds(200, 5)],
  // Machines, databases and parts fail while customers buy: nothing acknowledged is lost, and callers hardly notice.
  operations: [suite('operations', 0.02)],
  // Every order ends in a server or a refund whatever fails, and nothing is left over; storms of actions, and console tickets.
  servers: [suite('servers', 0.02), everyFault],
  // Two hundred simulated years of customers, sellers, four payment methods, webhooks and failures, each with its own seed; the books agree after each.
  years: [suite('years', 0.01)],
};

const { values, positionals } = parseArgs({
  options: { smoke: { type: 'boolean', default: false }, shard: { type: 'string', default: '1/1' } },
  allowPositionals: true,
});
const [shard = 0, shards = 0] = values.shard.split('/').map(Number);
if (!(shard >= 1 && shard <= shards)) {
  console.error(`--shard ${values.shard} is none: 1/2 is the first of two.`);
  process.exit(1);
}
const names = positionals.length > 0 ? positionals : Object.keys(PROOFS);
for (const name of names.filter((_, index) => index % shards === shard - 1)) {
  const parts = PROOFS[name];
  if (!parts) {
    console.error(`There is no proof ${name}; there are: ${Object.keys(PROOFS).join(', ')}.`);
    process.exit(1);
  }
  console.log(`\n${name}${values.smoke ? ' (short form)' : ''}`);
  for (const part of parts) {
    if (await part(values.smoke)) continue;
    console.error(`  ${name} DOES NOT HOLD`);
    process.exitCode = 1;
  }
}
