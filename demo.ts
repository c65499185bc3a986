// Demo data for an empty platform with the sandbox: people, one plan of each residential product with 90 days of use, an API key.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Egress } from './egress.ts';
import { type DemoPerson, seedAccount, seedApiKey } from './subgraphs/accounts/seed.ts';
import { seedResidential } from './subgraphs/residential/seed.ts';
import type { Config } from './subgraphs/shared/config.ts';

const CUSTOMER: DemoPerson = { email: 'demo@egress.example', password: 'demo egress 2026', role: 'CUSTOMER' };
const SUPPORT: DemoPerson = { email: 'desk@egress.example', password: 'desk egress 2026', role: 'STAFF' };

export interface Demo {
  customer: DemoPerson;
  support: DemoPerson;
  apiKey: string;
  planId: string;
}

/** Seeds once; later starts find what was kept beside the data. Only a demonstration keeps a key in a file. */
export async function seedDemo({ subgraphs, platform }: Egress, config: Config): Promise<Demo | undefined> {
  const file = join(config.DATA_DIR, 'demo.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Demo;
  const people = subgraphs.accounts.systemContext('demo');
  const accountId = await seedAccount(people, CUSTOMER);
  if (!accountId) return undefined;
  await seedAccount(subgraphs.accounts.systemContext('demo'), SUPPORT);
  const [planId = ''] = await seedResidential(subgraphs.residential.systemContext('demo'), { accountId, now: platform.clock.now() });
  const apiKey = await seedApiKey(subgraphs.accounts.systemContext('demo'), accountId);
  const demo: Demo = { customer: CUSTOMER, support: SUPPORT, apiKey, planId };
  writeFileSync(file, JSON.stringify(demo, undefined, 2), { mode: 0o600 });
  return demo;
}
