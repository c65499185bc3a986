// The subgraph of storage boxes: each file as a newcomer would write it with `subgraphs/static` as the example.
const ROOM = 'subgraphs/storage';

export const STORAGE_ROOM: Readonly<Record<string, string>> = {
  'schema/storage.graphql': `# Storage: boxes for files, sold by the gigabyte. The contract; subgraphs/storage implements it to the letter.
extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key", "@shareable", "@inaccessible", "@composeDirective"])
  @link(url: "https://egress.example/access/v1.0", import: ["@session"])
  @composeDirective(name: "@session")

directive @session on FIELD_DEFINITION

scalar DateTime
scalar Params

type Money @shareable {
  amountMinor: Int!
  currency: String!
}

type OfferLine @shareable {
  label: String!
  quantity: Int!
  amount: Money!
}

type OfferRenewal @shareable {
  months: Int!
  total: Money!
}

type Offer @shareable {
  token: String!
  title: String!
  lines: [OfferLine!]!
  subtotal: Money!
  tax: Money!
  total: Money!
  credit: Money
  validDays: Int
  renewal: OfferRenewal
  expiresAt: DateTime!
}

enum ComponentState {
  OPERATIONAL
  DEGRADED
  DOWN
}

type StorageBox @key(fields: "id") {
  id: ID!
  gigabytes: Int!
  createdAt: DateTime!
}

type DataPage @shareable {
  table: String!
  rows: [String!]!
  next: String
}

type Query {
  storageBoxes: [StorageBox!]! @session
  storageData(accountId: ID, after: String): DataPage! @session
  storageState: ComponentState! @inaccessible
}

type Mutation {
  storageOfferMake(gigabytes: Int!): Offer! @session
}
`,
  [`${ROOM}/README.md`]: `# Storage

Boxes for files, sold by the gigabyte. **Owns** offers and boxes. **Does not own** money.

Appended:

- \`fulfilment\`: \`.delivered\`

Heard:

- \`billing_details\`: \`.changed\`
- \`order\`: \`.paid\` \`.refunded\`
- \`vat_id\`: \`.checked\`
`,
  [`${ROOM}/builder.ts`]: `// The Pothos builder of storage.
import { createBuilder } from '#platform/schema-builder.ts';
import type { StorageContext } from './providers.ts';

export const builder = createBuilder<StorageContext>();

builder.queryType();
builder.mutationType();
`,
  [`${ROOM}/providers.ts`]: `// The outside of this subgraph: made once per process from the configuration.
import { commerceConfiguration } from '#commerce/configuration.ts';
import type { TaxRates } from '#commerce/tax.ts';
import type { Context } from '#platform/context.ts';
import type { SigningKeys } from '#platform/mac.ts';
import type { Platform } from '#platform/platform.ts';

export interface StorageProviders {
  /** Signs offers. */
  offers: SigningKeys;
  taxRates: TaxRates;
}

export type StorageContext = Context<StorageProviders>;

export const createProviders = ({ config, secrets }: Platform): StorageProviders => ({
  offers: secrets.offers,
  taxRates: commerceConfiguration.of(config).TAX_RATES ?? {},
});
`,
  [`${ROOM}/schema.ts`]: `import { FEDERATION } from '#platform/schema-builder.ts';
import { leavingTrails } from '#platform/staff-trail.ts';
import { builder } from './builder.ts';
import './graphql/offer.ts';
import './graphql/own-data.ts';
import './graphql/storage-box.ts';
import './graphql/storage-state.ts';

export const schema = leavingTrails(builder.toSubGraphSchema({ linkUrl: FEDERATION }));
`,
  [`${ROOM}/subgraph.ts`]: `import { storeCountry } from '#commerce/tax.ts';
import { createDataRoute } from '#platform/kept-data-file.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { kept } from './kept.ts';
import { type StorageProviders, createProviders } from './providers.ts';
import { followRefund, fulfilOrder } from './services/fulfil-order.ts';

export const storage: SubgraphDefinition<StorageProviders> = {
  name: 'storage',
  schema: async () => (await import('./schema.ts')).schema,
  entities: [],
  providers: createProviders,
  jobs: [],
  sealed: [],
  kept,
  figures: [],
  doors: (parts) => ({ routes: [createDataRoute('storage', 'storageData', parts)] }),
  reactions: {
    'billing_details.changed': storeCountry,
    'vat_id.checked': storeCountry,
    'order.paid': fulfilOrder,
    'order.refunded': followRefund,
  },
};
`,
  [`${ROOM}/kept.ts`]: `import type { KeptTable } from '#platform/kept-data.ts';

const OF_ACCOUNT = 'account_id = :account';
const BOOKS = 'as long as the books of its order';

export const kept: readonly KeptTable[] = [
  { table: 'storage.account_country', holds: 'the country that taxes go by', kept: BOOKS, of: OF_ACCOUNT, key: ['account_id'] },
  { table: 'storage.box', holds: 'what was bought', kept: BOOKS, of: OF_ACCOUNT, key: ['id'] },
];
`,
  [`${ROOM}/composition.ts`]: `// Storage by itself, or a command of it: what it reads of the configuration.
import { commerceConfiguration } from '#commerce/configuration.ts';
import { type Composition, compositionOf } from '#platform/composition.ts';
import { sandbox } from '#platform/sandbox-terms.ts';

export const composition: Composition = compositionOf([commerceConfiguration], sandbox);
`,
  [`${ROOM}/server.ts`]: `// Storage in a process of its own.
import { serveAlone } from '#platform/serve-alone.ts';
import { composition } from './composition.ts';
import { storage } from './subgraph.ts';

await serveAlone(storage, composition);
`,
  [`${ROOM}/domain/storage-box.ts`]: `/** What a box may hold, and what a gigabyte of it costs, in minor units of USD. */
export const BOX_GB = { min: 10, max: 10_000, minor: 1 };
`,
  [`${ROOM}/entities/storage-box.ts`]: `// Table storage.box.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface StorageBoxRow {
  id: string;
  accountId: string;
  orderId: string;
  gigabytes: number;
  createdAt: Date;
}

/** False: the order has its box. */
export async function insertBox(em: EntityManager, { id, accountId, orderId, gigabytes, createdAt }: StorageBoxRow): Promise<boolean> {
  const { rows } = await sql\`insert into box (id, account_id, order_id, gigabytes, created_at)
    values (\${id}, \${accountId}, \${orderId}, \${gigabytes}, \${createdAt}) on conflict (order_id) do nothing returning id\`.execute(em.getKysely());
  return rows.length > 0;
}

export const deleteBoxOfOrder = async (em: EntityManager, orderId: string): Promise<void> =>
  void (await sql\`delete from box where order_id = \${orderId}\`.execute(em.getKysely()));

/** The latest first. */
export async function boxesOf(em: EntityManager, accountId: string): Promise<StorageBoxRow[]> {
  const { rows } = await sql<StorageBoxRow>\`select id, account_id as "accountId", order_id as "orderId", gigabytes, created_at as "createdAt"
    from box where account_id = \${accountId} order by id desc\`.execute(em.getKysely());
  return rows;
}
`,
  [`${ROOM}/services/price-box.ts`]: `import { type OfferTerms, priceOffer } from '#commerce/offers.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { BOX_GB } from '../domain/storage-box.ts';
import type { StorageContext } from '../providers.ts';

/** The price of a box for the caller's account. Errors: quantity_invalid. */
export async function priceBox(ctx: StorageContext, gigabytes: number): Promise<OfferTerms> {
  if (gigabytes < BOX_GB.min || gigabytes > BOX_GB.max) throw fail('quantity_invalid', { field: 'gigabytes' });
  const accountId = accountOf(ctx);
  return priceOffer(
    {
      id: newId('off', ctx.clock),
      accountId,
      seller: 'storage',
      title: \`Storage box, \${gigabytes} GB\`,
      lines: [{ label: 'Storage, per GB', quantity: gigabytes, amountMinor: BOX_GB.minor * gigabytes }],
      currency: 'USD',
      fulfil: { gigabytes },
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
  );
}
`,
  [`${ROOM}/services/fulfil-order.ts`]: `// What happens when an order of ours is paid, and when it is refunded.
import { z } from 'zod';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { deleteBoxOfOrder, insertBox } from '../entities/storage-box.ts';
import type { StorageContext } from '../providers.ts';

/** What \`priceBox\` put into the signed offer. */
const fulfilment = z.object({ gigabytes: z.int() });

/** Reaction to \`order.paid\`: one box for each order of ours. */
export async function fulfilOrder({ em, clock }: StorageContext, { data, accountId, subject }: EventOf<'order.paid'>): Promise<void> {
  if (data.seller !== 'storage' || accountId === null) return;
  const { gigabytes } = fulfilment.parse(data.fulfil);
  const id = newId('box', clock);
  if (await insertBox(em, { id, accountId, orderId: subject, gigabytes, createdAt: clock.now() }))
    await appendEvents(em, { type: 'fulfilment.delivered', at: clock.now(), accountId, subject: id, data: { orderId: subject } });
}

/** Reaction to \`order.refunded\`. */
export async function followRefund({ em }: StorageContext, { data, subject }: EventOf<'order.refunded'>): Promise<void> {
  if (data.seller === 'storage') await deleteBoxOfOrder(em, subject);
}
`,
  [`${ROOM}/graphql/offer.ts`]: `import { declareMoney, declareOffer } from '#commerce/offer-types.ts';
import { toOffer } from '#commerce/offers.ts';
import { builder } from '../builder.ts';
import { priceBox } from '../services/price-box.ts';

const Offer = declareOffer(builder, declareMoney(builder));

builder.mutationField('storageOfferMake', (t) =>
  t.field({
    type: Offer,
    authScopes: { session: true },
    args: { gigabytes: t.arg.int({ required: true }) },
    resolve: async (_root, { gigabytes }, ctx) => toOffer(await priceBox(ctx, gigabytes), ctx.providers.offers),
  }),
);
`,
  [`${ROOM}/graphql/own-data.ts`]: `import { declareKeptData } from '#platform/kept-data-graph.ts';
import { builder } from '../builder.ts';
import { kept } from '../kept.ts';

declareKeptData(builder, 'storageData', kept);
`,
  [`${ROOM}/graphql/storage-box.ts`]: `import { accountOf } from '#platform/context.ts';
import { builder } from '../builder.ts';
import { type StorageBoxRow, boxesOf } from '../entities/storage-box.ts';

const StorageBox = builder.objectRef<StorageBoxRow>('StorageBox').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    gigabytes: t.exposeInt('gigabytes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});
builder.asEntity(StorageBox, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: async ({ id }, ctx) => (await boxesOf(ctx.em, accountOf(ctx))).find((box) => box.id === id) ?? null,
});

builder.queryField('storageBoxes', (t) =>
  t.field({ type: [StorageBox], authScopes: { session: true }, resolve: (_root, _args, ctx) => boxesOf(ctx.em, accountOf(ctx)) }),
);
`,
  [`${ROOM}/graphql/storage-state.ts`]: `import { COMPONENT_STATES, type ComponentState } from '#platform/component-state.ts';
import { builder } from '../builder.ts';

const State = builder.enumType('ComponentState', { values: COMPONENT_STATES });

builder.queryField('storageState', (t) =>
  t.field({ type: State, inaccessible: true, authScopes: { system: true }, resolve: (): ComponentState => 'OPERATIONAL' }),
);
`,
};
