import { readConfig } from '../../configuration.ts';
// The platform, seeded with accounts that each have a key and a plan.
import { startEgress } from '../../egress.ts';
import { createSeed } from '../kit/seed.ts';

const egress = await startEgress(readConfig(process.env));
// Thousands of real password hashes would take minutes and are not measured.
const { passwords, mailer } = egress.subgraphs.accounts.systemContext('bench').providers;
passwords.hash = () => Promise.resolve('none');
mailer.send = () => Promise.resolve();
const seed = createSeed(egress);
const accounts = [];
for (let index = 0; index < Number(process.env['ACCOUNTS'] ?? '1'); index++) {
  const account = await seed.account();
  const { id: planId } = await account.residentialPlan({ gigabytes: 100 });
  const { authorization } = await account.apiKey();
  accounts.push({ authorization, planId });
}
// Wait for jobs that the seeding has started.
await egress.platform.queue.drain();
process.send?.({ accounts });
process.on('SIGTERM', () => void egress.close().then(() => process.exit(0)));
