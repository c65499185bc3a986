// `npm run prove [-- NAME ...] [--smoke]`: proofs that take longer than a test may. Never part of the tests.
import { parseArgs } from 'node:util';

/** name -> module with `prove(smoke)`; each prints its figures and sets the exit code when it does not hold. The smoke form takes a minute at most. */
const PROOFS: Record<string, () => Promise<{ prove(smoke: boolean): Promise<void> }>> = {
  accounts: () => import('./accounts.ts'),
  billing: () => import('./billing.ts'),
  dashboard: () => import('./dashboard.ts'),
  edge: () => import('./edge.ts'),
  inventory: () => import('./inventory.ts'),
  metering: () => import('./metering.ts'),
  servers: () => import('./servers.ts'),
};

const { values, positionals } = parseArgs({ options: { smoke: { type: 'boolean', default: false } }, allowPositionals: true });
for (const name of positionals.length > 0 ? positionals : Object.keys(PROOFS)) {
  const load = PROOFS[name];
  if (!load) {
    console.error(`There is no proof ${name}; there are: ${Object.keys(PROOFS).join(', ')}.`);
    process.exit(1);
  }
  console.log(`\n${name}${values.smoke ? ' (short form)' : ''}`);
  const { prove } = await load();
  await prove(values.smoke);
}
