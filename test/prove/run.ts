// `npm run prove [-- NAME ...] [--smoke]`: proofs that take longer than a test may. Never part of the tests.
import { parseArgs } from 'node:util';
import { type Part, simulatedWorlds, suite } from './suite.ts';

/** The short form of each takes a minute at most. */
const PROOFS: Record<string, readonly Part[]> = {
  // Nobody learns by the clock which addresses have an account; a flood of log-ins stays bounded.
  accounts: [suite('accounts', 0.02)],
  // Webhooks by a sender that is killed, to receivers that fail and lie.
  api: [suite('api', 0.02)],
  // Notices that come twice, late, crossed or never, repeats, forgeries, killed processes, every path of a renewal, chains of changes, every pair of
  // operations that move money at once.
  billing: [suite('billing', 0.01)],
  // Every page looks as it was looked at; a page that stays open for a day keeps no memory; what judges of public pages say.
  dashboard: [suite('dashboard', 0.05)],
  // A thousand worlds of the metering protocol, then real nodes on a real ledger.
  edge: [simulatedWorlds(1_000, 20), suite('edge', 0.02)],
  // Floods, stalls, lock-outs, hoarding and poison, one after another and all at once: what a good customer notices of them is bounded.
  hostile: [suite('hostile', 0.02)],
  // The image is built, sells in production mode, and ends when it is asked to.
  image: [suite('image', 1)],
  // Addresses are sold once, and none is lost, whatever happens at the same time.
  inventory: [async (smoke) => (await import('./inventory.ts')).prove(smoke)],
  // A ledger that is exact whatever is repeated, reordered, split, late or killed; over-use within its bound; how soon a pause is felt.
  metering: [suite('metering', 0.01), simulatedWorlds(200, 5)],
  // Machines, databases and parts fail while people buy: nothing that anybody was told is lost, and callers hardly notice.
  operations: [suite('operations', 0.02)],
  // Every order ends in a server or in its refund whatever fails, and nothing is left over; storms and tickets hold.
  servers: [suite('servers', 0.02)],
  // Two hundred years of customers, sellers, four ways to pay, notices and trouble, each from a seed of its own; books that agree after each.
  years: [suite('years', 0.01)],
};

const { values, positionals } = parseArgs({ options: { smoke: { type: 'boolean', default: false } }, allowPositionals: true });
for (const name of positionals.length > 0 ? positionals : Object.keys(PROOFS)) {
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
