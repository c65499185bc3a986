// `npm run prove [-- NAME ...] [--short]`: proofs that take longer than a test may. Never part of the tests.
import { parseArgs } from 'node:util';

/** name -> module with `prove(short)`; each prints its figures and sets the exit code when it does not hold. */
const PROOFS: Record<string, () => Promise<{ prove(short: boolean): Promise<void> }>> = {
  accounts: () => import('./accounts.ts'),
  edge: () => import('./edge.ts'),
};

const { values, positionals } = parseArgs({ options: { short: { type: 'boolean', default: false } }, allowPositionals: true });
for (const name of positionals.length > 0 ? positionals : Object.keys(PROOFS)) {
  const load = PROOFS[name];
  if (!load) {
    console.error(`There is no proof ${name}; there are: ${Object.keys(PROOFS).join(', ')}.`);
    process.exit(1);
  }
  console.log(`\n${name}${values.short ? ' (short form)' : ''}`);
  const { prove } = await load();
  await prove(values.short);
}
