// Adds a product line: storage boxes, sold and delivered by a new subgraph.
import type { CopiedTree } from './copied-tree.ts';
import { STORAGE_ROOM } from './storage-room.ts';

/** One edit: the file, the old text, the new text. */
type Edit = readonly [path: string, before: string, after: string];

const seller = (words: string): string => ` STORAGE: '${words}',`;
const EDITS: readonly Edit[] = [
  ['schema/subgraphs.ts', `'compute'] as const`, `'compute', 'storage'] as const`],
  [
    'schema/events.ts',
    '  compute: { ...COMPUTE_EVENTS, ...FULFILMENT_EVENTS },\n',
    `  compute: { ...COMPUTE_EVENTS, ...FULFILMENT_EVENTS },\n  storage: { 'fulfilment.delivered': FULFILMENT_EVENTS['fulfilment.delivered'] },\n`,
  ],
  [
    'schema/accounts.graphql',
    'enum OrderSeller {\n  RESIDENTIAL\n  STATIC\n  COMPUTE\n',
    'enum OrderSeller {\n  RESIDENTIAL\n  STATIC\n  COMPUTE\n  STORAGE\n',
  ],
  ['schema/accounts.graphql', '  SERVERS\n  PAYMENTS\n', '  SERVERS\n  STORAGE_BOXES\n  PAYMENTS\n'],
  ['schema/status.ts', `'SERVERS', 'PAYMENTS'`, `'SERVERS', 'STORAGE_BOXES', 'PAYMENTS'`],
  [
    'all-subgraphs.ts',
    `import { staticProxies } from './subgraphs/static/subgraph.ts';\n`,
    `import { staticProxies } from './subgraphs/static/subgraph.ts';\nimport { storage } from './subgraphs/storage/subgraph.ts';\n`,
  ],
  ['all-subgraphs.ts', 'static: staticProxies, compute }', 'static: staticProxies, compute, storage }'],
  ['subgraphs/shared/platform/ids.ts', `  | 'batch'\n`, `  | 'batch'\n  | 'box'\n`],
  [
    'subgraphs/accounts/billing/orders/graphql/order.ts',
    `COMPUTE: { value: 'compute' } }`,
    `COMPUTE: { value: 'compute' }, STORAGE: { value: 'storage' } }`,
  ],
  ['catalogue-fields.ts', '  compute: COMPUTE_CATALOGUE,\n', '  compute: COMPUTE_CATALOGUE,\n  storage: [],\n'],
  [
    'settings-page.ts',
    `import { composition as staticProxies } from './subgraphs/static/composition.ts';\n`,
    `import { composition as staticProxies } from './subgraphs/static/composition.ts';\nimport { composition as storage } from './subgraphs/storage/composition.ts';\n`,
  ],
  ['settings-page.ts', '  compute: compute.parts,\n', '  compute: compute.parts,\n  storage: storage.parts,\n'],
  [
    'gateway/status/components.ts',
    `silent: 'DEGRADED' },\n`,
    `silent: 'DEGRADED' },\n  storage: { field: 'storageState', component: 'STORAGE_BOXES', silent: 'DOWN' },\n`,
  ],
  ['gateway/status/status-words.ts', `      SERVERS: 'Servers',\n`, `      SERVERS: 'Servers',\n      STORAGE_BOXES: 'Storage boxes',\n`],
  ['gateway/status/status-words.ts', `      SERVERS: 'Server',\n`, `      SERVERS: 'Server',\n      STORAGE_BOXES: 'Speicherboxen',\n`],
  [
    'web/src/lib/orders/places.ts',
    '  COMPUTE: (id) => `/servers/${id}`,\n',
    "  COMPUTE: (id) => `/servers/${id}`,\n  STORAGE: () => '/orders',\n",
  ],
  ['web/src/lib/orders/places.ts', `  COMPUTE: '/servers',\n`, `  COMPUTE: '/servers',\n  STORAGE: '/orders',\n`],
  ['web/src/lib/text/en/status-words.ts', `    SERVERS: 'Servers',\n`, `    SERVERS: 'Servers',\n    STORAGE_BOXES: 'Storage boxes',\n`],
  ['web/src/lib/text/de/status-words.ts', `    SERVERS: 'Server',\n`, `    SERVERS: 'Server',\n    STORAGE_BOXES: 'Speicherboxen',\n`],
  ...(['en', 'de'] as const).flatMap((language): Edit[] => {
    const path = `web/src/lib/text/${language}/billing.ts`;
    const german = language === 'de';
    return [
      [path, '    paidLeads: {', `    paidLeads: {${seller(german ? 'Ihre Box wird eingerichtet.' : 'Your box is being set up.')}`],
      [path, 'fulfilledTitles: {', `fulfilledTitles: {${seller(german ? 'Ihre Box ist bereit' : 'Your box is ready')}`],
      [path, '    fulfilledLeads: {', `    fulfilledLeads: {${seller(german ? 'Laden Sie etwas hoch.' : 'Upload something.')}`],
      [path, 'toResource: {', `toResource: {${seller(german ? 'Box öffnen' : 'Open the box')}`],
    ];
  }),
];

const migration = `-- Storage boxes: a schema and a role of their own, as 0001 made for the first four.
do $$
begin
  if not exists (select from pg_roles where rolname = 'egress_storage') then create role egress_storage nologin; end if;
  if not pg_has_role(current_user, 'egress_storage', 'member') then grant egress_storage to current_user; end if;
end $$;
create schema storage;
grant usage on schema storage, platform to egress_storage;
grant select, insert on platform.event to egress_storage;
grant select, insert, update on platform.cursor to egress_storage;
alter default privileges in schema storage grant select, insert, update, delete on tables to egress_storage;
create table storage.account_country (
  account_id text primary key, country text not null, reverse_charge boolean not null default false, changed_at timestamptz not null
);
create table storage.box (
  id text primary key,
  account_id text not null,
  order_id text not null unique,
  gigabytes integer not null,
  created_at timestamptz not null
);
create index box_account on storage.box (account_id, id);
`;

/** Adds storage boxes to this tree. Returns the new files and the changed ones, each sorted. */
export function addProductLine(tree: CopiedTree): { made: string[]; changed: string[] } {
  const added = { ...STORAGE_ROOM, [`migrations/${tree.nextMigration()}-storage.sql`]: migration };
  for (const [path, text] of Object.entries(added)) tree.write(path, text);
  for (const edit of EDITS) tree.edit(...edit);
  const touched = tree.touched();
  return { made: touched.filter((path) => path in added), changed: touched.filter((path) => !(path in added)) };
}
