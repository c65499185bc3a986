// Makes the changes that ARCHITECTURE.md describes under "To add something" in a copy of the tree. Each may touch only the files named here, and with
// all of them the copy must pass types, and in `npm run prove -- changes` contracts too. So a refactoring that makes such a change more expensive fails here.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CopiedTree, copyTree } from './copied-tree.ts';
import { addPaymentMethod } from './payment-method.ts';
import { addProductLine } from './product-line.ts';

let tree: CopiedTree;
beforeAll(() => {
  tree = copyTree();
});
// Forgets the files of the test before, which may have failed half-way.
beforeEach(() => void tree.touched());
afterAll(() => tree.remove());

const CONTRACTS = [
  'architecture',
  'subgraph-schema',
  'published-api',
  'operations',
  'error-catalogue',
  'events',
  'literal-names',
  'readme',
  'refusals',
  'settings',
  'web',
];

test('an endpoint is a file and a line', () => {
  tree.write(
    'rest-adapter/endpoints/get-credit.ts',
    `import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

interface Result {
  me: { credit: { balance: { amountMinor: number } } };
}

export const getCredit = defineEndpoint({
  path: '/v1/credit',
  tool: 'get_credit',
  scope: 'read',
  title: 'Get credit',
  description: 'The account credit that is free to spend. Takes no parameters.',
  message: 'Credit found.',
  input: z.object({}),
  restNames: {},
  refusals: {},
  codes: [],
  output: z.object({ credit: z.int().describe('In minor units (cents, USD).') }),
  readOnly: true,
  operation: /* GraphQL */ \`
    query GetCredit {
      me {
        credit {
          balance {
            amountMinor
          }
        }
      }
    }
  \`,
  variables: () => ({}),
  data: ({ me }: Result) => ({ credit: me.credit.balance.amountMinor }),
  example: { input: {}, data: { credit: 1250 } },
});
`,
  );
  tree.edit(
    'rest-adapter/endpoints/index.ts',
    `import { getSubscriptions } from './get-subscriptions.ts';\n`,
    `import { getCredit } from './get-credit.ts';\nimport { getSubscriptions } from './get-subscriptions.ts';\n`,
  );
  tree.edit('rest-adapter/endpoints/index.ts', '  getSubscriptions,\n', '  getSubscriptions,\n  getCredit,\n');
  expect(tree.touched()).toEqual(['rest-adapter/endpoints/get-credit.ts', 'rest-adapter/endpoints/index.ts']);
});

test('a field of a VPS is a column, its row, the contract, the type, and where a page asks for it, shows it and names it', () => {
  const migration = `migrations/${tree.nextMigration()}-rack.sql`;
  tree.write(migration, `-- Customers ask where their server stands.\nalter table compute.server add column rack text;\n`);
  tree.edit(
    'subgraphs/compute/servers/entities/server.ts',
    '  hostname: string;\n  /** Its own',
    '  hostname: string;\n  rack: string | null;\n  /** Its own',
  );
  tree.edit('subgraphs/compute/servers/entities/server.ts', "  labels: 'json',\n", "  labels: 'json',\n  rack: 'plain',\n");
  tree.edit(
    'schema/compute.graphql',
    'type Vps implements Server @key(fields: "id") {\n',
    'type Vps implements Server @key(fields: "id") {\n  rack: String\n',
  );
  tree.edit(
    'subgraphs/compute/servers/graphql/vps.ts',
    `    extraIpv4: t.exposeInt('extraIpv4'),\n`,
    `    extraIpv4: t.exposeInt('extraIpv4'),\n    rack: t.exposeString('rack', { nullable: true }),\n`,
  );
  tree.edit('web/src/lib/ops/vps.ts', '      extraIpv4\n', '      extraIpv4\n      rack\n');
  tree.edit('web/src/lib/servers/kinds.ts', 'hardware: ({ location, plan: { name, vcpu', 'hardware: ({ rack, location, plan: { name, vcpu');
  tree.edit(
    'web/src/lib/servers/kinds.ts',
    '      [facts.plan, `${name}:',
    "      [facts.rack, rack ?? ''],\n      [facts.plan, `${name}:",
  );
  tree.edit('web/src/lib/text/en/servers.ts', "    plan: 'Plan',\n    system", "    plan: 'Plan',\n    rack: 'Rack',\n    system");
  tree.edit('web/src/lib/text/de/servers.ts', "    plan: 'Tarif',\n    system", "    plan: 'Tarif',\n    rack: 'Schrank',\n    system");
  expect(tree.touched()).toEqual([
    migration,
    'schema/compute.graphql',
    'subgraphs/compute/servers/entities/server.ts',
    'subgraphs/compute/servers/graphql/vps.ts',
    'web/src/lib/ops/vps.ts',
    'web/src/lib/servers/kinds.ts',
    'web/src/lib/text/de/servers.ts',
    'web/src/lib/text/en/servers.ts',
  ]);
});

test('a way to pay is a folder, its row and names, the contract, a migration of the checks, and a row and words of the dashboard', () => {
  const { methods, page, migration } = addPaymentMethod(tree);
  expect(tree.touched()).toEqual([
    migration,
    'schema/accounts.graphql',
    `${methods}/domain/payment-method.ts`,
    `${methods}/providers/payment-methods.ts`,
    `${methods}/providers/voucher/voucher.ts`,
    page,
    'web/src/lib/text/de/payment-methods.ts',
    'web/src/lib/text/en/payment-methods.ts',
  ]);
});

test('a mail is what it says in each language, in the mails of its noun, and a sample of it', () => {
  tree.edit(
    'subgraphs/accounts/keys/domain/key-mails.ts',
    'export const KEY_MAILS = {\n',
    `export const KEY_MAILS = {
  key_unused: ({ brand, masked, url }: { brand: string; masked: string; url: string }) =>
    write({
      subject: 'Your API key is not used',
      paragraphs: [\`Your API key \${masked} has not been used for a year.\`],
      link: { label: 'See my keys', url },
      closing: brand,
    }),
`,
  );
  tree.edit(
    'subgraphs/accounts/keys/domain/german-key-mails.ts',
    'typeof KEY_MAILS> = {\n',
    `typeof KEY_MAILS> = {
  key_unused: ({ brand, masked, url }) =>
    write({
      subject: 'Ihr API-Schlüssel wird nicht benutzt',
      paragraphs: [\`Ihr API-Schlüssel \${masked} wurde ein Jahr lang nicht benutzt.\`],
      link: { label: 'Meine Schlüssel ansehen', url },
      closing: brand,
    }),
`,
  );
  tree.edit(
    'subgraphs/accounts/mail-samples.ts',
    '  key_issued: { masked, url },\n',
    '  key_issued: { masked, url },\n  key_unused: { masked, url },\n',
  );
  expect(tree.touched()).toEqual([
    'subgraphs/accounts/keys/domain/german-key-mails.ts',
    'subgraphs/accounts/keys/domain/key-mails.ts',
    'subgraphs/accounts/mail-samples.ts',
  ]);
});

test('a residential product is a code, a row of what differs, the contract, a migration of the check, and its times in the test', () => {
  const migration = `migrations/${tree.nextMigration()}-social.sql`;
  tree.write(
    migration,
    `-- A fifth product.
alter table residential.plan drop constraint plan_product_check;
alter table residential.plan add check (product in ('PREMIUM', 'PRIVATE_RESIDENTIAL', 'MOBILE', 'ALT_RESIDENTIAL', 'SOCIAL'));
`,
  );
  tree.edit('edge/protocol/product.ts', `'ALT_RESIDENTIAL'] as const`, `'ALT_RESIDENTIAL', 'SOCIAL'] as const`);
  tree.edit('schema/residential.graphql', '  ALT_RESIDENTIAL\n', '  ALT_RESIDENTIAL\n  SOCIAL\n');
  tree.edit(
    'subgraphs/residential/plans/domain/products.ts',
    '  ALT_RESIDENTIAL: {\n',
    `  SOCIAL: {
    code: 'SOCIAL',
    name: 'Social',
    sessionMinutes: [30],
    dailyLimitAvailable: false,
    sold: true,
    validDays: null,
    prices: steps(900, 800, 700, 600),
  },
  ALT_RESIDENTIAL: {
`,
  );
  const test = 'test/subgraphs/residential/generation/domain/generation.test.ts';
  tree.edit(test, '    ALT_RESIDENTIAL: [', '    SOCIAL: [30],\n    ALT_RESIDENTIAL: [');
  expect(tree.touched()).toEqual([
    'edge/protocol/product.ts',
    migration,
    'schema/residential.graphql',
    'subgraphs/residential/plans/domain/products.ts',
    test,
  ]);
});

test('a sticky time is a number in the row of its product', () => {
  tree.edit('subgraphs/residential/plans/domain/products.ts', 'sessionMinutes: [30, 60, 120],\n', 'sessionMinutes: [30, 60, 120, 240],\n');
  expect(tree.touched()).toEqual(['subgraphs/residential/plans/domain/products.ts']);
});

test('an ISP product is an id, a row, and what the demo has of it', () => {
  tree.edit('subgraphs/static/products/domain/static-product.ts', `'isp-cascade'] as const`, `'isp-cascade', 'isp-delta'] as const`);
  tree.edit(
    'subgraphs/static/products/domain/static-product.ts',
    `  'isp-cascade': ispProduct(`,
    `  'isp-delta': ispProduct('isp-delta', 'Delta', ISP_MINOR),\n  'isp-cascade': ispProduct(`,
  );
  tree.edit('subgraphs/static/seed.ts', '  datacenter: {', "  'isp-delta': { addresses: 10, places: ['Paris'] },\n  datacenter: {");
  expect(tree.touched()).toEqual(['subgraphs/static/products/domain/static-product.ts', 'subgraphs/static/seed.ts']);
});

test('the code of an error is a line in its room, and its German sentence', () => {
  const german = 'schema/codes/de/errors.ts';
  tree.edit(
    'schema/codes/keys.ts',
    '  key_not_found: {',
    "  key_not_confirmed: { status: 409, message: 'This API key is not confirmed.' },\n  key_not_found: {",
  );
  tree.edit(german, '  key_not_found:', "  key_not_confirmed: 'Dieser API-Schlüssel ist nicht bestätigt.',\n  key_not_found:");
  expect(tree.touched()).toEqual([german, 'schema/codes/keys.ts']);
});

test('a field of an event is a line of its contract', () => {
  tree.edit(
    'schema/events/terms.ts',
    'ofOrder.extend({ reason: z.string() })',
    'ofOrder.extend({ reason: z.string(), place: z.string().optional() })',
  );
  expect(tree.touched()).toEqual(['schema/events/terms.ts']);
});

test('a variable is a row of the configuration that reads it, and of the page of settings', () => {
  const words = 'days that a plan is shown after its end';
  tree.edit(
    'subgraphs/static/configuration.ts',
    '  HEALTH_CHECK_URL: [',
    `  STATIC_SHOWN_DAYS: [count(1).default(90), '${words}'],\n  HEALTH_CHECK_URL: [`,
  );
  tree.edit('docs/settings.md', '| `HEALTH_CHECK_URL` |', `| \`STATIC_SHOWN_DAYS\` | \`90\` | ${words} |\n| \`HEALTH_CHECK_URL\` |`);
  expect(tree.touched()).toEqual(['docs/settings.md', 'subgraphs/static/configuration.ts']);
});

test('a product line is a subgraph: its contract, folder and migration, its name in the lists, what the order page and the status page call it', () => {
  const { made, changed } = addProductLine(tree);
  expect(made.filter((path) => !path.startsWith('subgraphs/storage/'))).toEqual([
    expect.stringMatching(/^migrations/),
    'schema/storage.graphql',
  ]);
  expect(changed).toEqual([
    'all-subgraphs.ts',
    'catalogue-fields.ts',
    'gateway/status/components.ts',
    'gateway/status/status-words.ts',
    'schema/accounts.graphql',
    'schema/events.ts',
    'schema/status.ts',
    'schema/subgraphs.ts',
    'settings-page.ts',
    'subgraphs/accounts/billing/orders/graphql/order.ts',
    'subgraphs/shared/platform/ids.ts',
    'web/src/lib/orders/places.ts',
    'web/src/lib/text/de/billing.ts',
    'web/src/lib/text/de/status-words.ts',
    'web/src/lib/text/en/billing.ts',
    'web/src/lib/text/en/status-words.ts',
  ]);
});

/** The output of a failed program; empty if it succeeded. */
const complaint = ({ ok, said }: { ok: boolean; said: string }) => (ok ? '' : said);

/** Which checks the changed tree passes: all of them, in `npm run prove -- changes`, take longer than tests may. */
const part = process.env['EXERCISES'] ?? 'types';

describe('the tree with all of it', { timeout: 600_000 }, () => {
  test('composes', () => {
    expect(complaint(tree.run('schema/compose.ts', []))).toBe('');
  });

  test.skipIf(part === 'contracts')('passes the types', () => {
    expect(complaint(tree.run('@typescript/native/bin/tsc', ['-p', '.']))).toBe('');
  });

  describe.skipIf(part === 'types')('with the types of its pages', () => {
    test('has them', () => {
      expect(complaint(tree.run('@sveltejs/kit/svelte-kit.js', ['sync'], 'web'))).toBe('');
    });

    test.skipIf(part === 'contracts')('passes the types of the dashboard', () => {
      expect(complaint(tree.run('gql.tada/bin/cli.js', ['generate-output'], 'web'))).toBe('');
      const check = ['--tsconfig', './tsconfig.json', '--fail-on-warnings'];
      expect(complaint(tree.run('svelte-check/bin/svelte-check', check, 'web'))).toBe('');
    });

    test('passes the contracts', () => {
      const files = CONTRACTS.map((name) => `test/contracts/${name}.test.ts`);
      const config = ['--config', 'test/exercises/contracts.config.ts'];
      expect(complaint(tree.run('vitest/vitest.mjs', ['run', ...config, ...files]))).toBe('');
    });
  });
});
