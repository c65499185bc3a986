// The inventory at support's desk. Every field is for staff only.
import { sentenceOf } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { INVENTORY_ACTIONS, INVENTORY_STATES } from '../domain/inventory-state.ts';
import { pageCountOf } from '#platform/numbered-page.ts';
import type { StaticProduct as Product } from '../../products/domain/static-product.ts';
import type { InventoryAddress, InventoryCounts, Subnet, Tenure } from '../entities/inventory.ts';
import { type InventoryReceipt, importInventory } from '../services/import-inventory.ts';
import { type InventoryOutcome, changeInventory, holders, inventoryAddresses, overview, subnets } from '../services/inventory.ts';
import { StaticProduct } from '../../products/graphql/static-product.ts';

const StaticInventoryState = builder.enumType('StaticInventoryState', { values: INVENTORY_STATES });
const StaticInventoryDeed = builder.enumType('StaticInventoryDeed', { values: INVENTORY_ACTIONS });

const StaticInventoryCounts = builder.objectRef<InventoryCounts>('StaticInventoryCounts').implement({
  fields: (t) => ({
    total: t.exposeInt('total'),
    free: t.exposeInt('free'),
    held: t.exposeInt('held'),
    heldUnpaid: t.exposeInt('heldUnpaid'),
    sold: t.exposeInt('sold'),
    resting: t.exposeInt('resting'),
    reserved: t.exposeInt('reserved'),
    retired: t.exposeInt('retired'),
  }),
});

const StaticInventoryProduct = builder.objectRef<InventoryCounts & { product: Product }>('StaticInventoryProduct').implement({
  fields: (t) => ({
    product: t.field({ type: StaticProduct, resolve: ({ product }) => product }),
    counts: t.field({ type: StaticInventoryCounts, resolve: (counts) => counts }),
  }),
});

const StaticSubnet = builder.objectRef<Subnet>('StaticSubnet').implement({
  fields: (t) => ({
    network: t.exposeString('network'),
    locations: t.exposeStringList('locations'),
    counts: t.field({ type: StaticInventoryCounts, resolve: (counts) => counts }),
  }),
});

const StaticInventoryAddress = builder.objectRef<InventoryAddress>('StaticInventoryAddress').implement({
  fields: (t) => ({
    ip: t.exposeString('ip'),
    port: t.exposeInt('port'),
    productId: t.exposeID('productId'),
    location: t.exposeString('location'),
    state: t.field({ type: StaticInventoryState, resolve: ({ state }) => state }),
    note: t.exposeString('note', { nullable: true }),
    planId: t.exposeID('planId', { nullable: true }),
    accountId: t.exposeID('accountId', { nullable: true }),
    restsUntil: t.expose('restsUntil', { type: 'DateTime' }),
    failing: t.boolean({ resolve: ({ problem }) => problem !== null }),
  }),
});

const StaticInventoryPage = builder
  .objectRef<{ items: InventoryAddress[]; total: number; page: number; pageCount: number }>('StaticInventoryPage')
  .implement({
    fields: (t) => ({
      items: t.field({ type: [StaticInventoryAddress], resolve: ({ items }) => items }),
      total: t.exposeInt('total'),
      page: t.exposeInt('page'),
      pageCount: t.exposeInt('pageCount'),
    }),
  });

const StaticHolder = builder.objectRef<Tenure>('StaticHolder').implement({
  fields: (t) => ({
    planId: t.exposeID('planId'),
    accountId: t.exposeID('accountId'),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
  }),
});

const StaticInventoryProblem = builder.objectRef<InventoryReceipt['problems'][number]>('StaticInventoryProblem').implement({
  fields: (t) => ({
    line: t.exposeInt('line'),
    reason: t.string({ resolve: ({ reason }) => sentenceOf(reason) }),
    reasonCode: t.string({ resolve: ({ reason }) => reason.code }),
    params: t.field({ type: 'Params', resolve: ({ reason }) => reason.params }),
  }),
});

const StaticInventoryReceipt = builder.objectRef<InventoryReceipt>('StaticInventoryReceipt').implement({
  fields: (t) => ({
    loaded: t.exposeInt('loaded'),
    problems: t.field({ type: [StaticInventoryProblem], resolve: ({ problems }) => problems }),
  }),
});

const StaticInventoryRefusal = builder.objectRef<InventoryOutcome['refused'][number]>('StaticInventoryRefusal').implement({
  fields: (t) => ({
    ip: t.exposeString('ip'),
    reason: t.string({ resolve: ({ reason }) => sentenceOf(reason) }),
    reasonCode: t.string({ resolve: ({ reason }) => reason.code }),
    params: t.field({ type: 'Params', resolve: ({ reason }) => reason.params }),
  }),
});

export const StaticInventoryOutcome = builder.objectRef<InventoryOutcome>('StaticInventoryOutcome').implement({
  fields: (t) => ({
    changed: t.exposeInt('changed'),
    refused: t.field({ type: [StaticInventoryRefusal], resolve: ({ refused }) => refused }),
  }),
});

builder.queryFields((t) => ({
  supportStaticInventory: t.field({
    type: [StaticInventoryProduct],
    authScopes: { staff: 'inventory' },
    resolve: (_root, _args, ctx) => overview(ctx),
  }),
  supportStaticSubnets: t.field({
    type: [StaticSubnet],
    authScopes: { staff: 'inventory' },
    args: { productId: t.arg.id({ required: true }) },
    resolve: (_root, { productId }, ctx) => subnets(ctx, productId),
  }),
  supportStaticAddresses: t.field({
    type: StaticInventoryPage,
    authScopes: { staff: 'inventory' },
    args: {
      search: t.arg.string(),
      productId: t.arg.id(),
      state: t.arg({ type: StaticInventoryState }),
      page: t.arg.int({ required: true, defaultValue: 1 }),
      limit: t.arg.int({ required: true, defaultValue: 50 }),
    },
    async resolve(_root, input, ctx) {
      const { rows: items, total } = await inventoryAddresses(ctx, input);
      return { items, total, page: input.page, pageCount: pageCountOf(total, input.limit) };
    },
  }),
  supportStaticHolders: t.field({
    type: [StaticHolder],
    authScopes: { staff: 'address_use' },
    args: { ip: t.arg.string({ required: true }), at: t.arg({ type: 'DateTime' }) },
    resolve: (_root, question, ctx) => holders(ctx, question),
  }),
}));

builder.mutationFields((t) => ({
  supportStaticImport: t.field({
    type: StaticInventoryReceipt,
    authScopes: { staff: 'inventory' },
    args: { csv: t.arg.string({ required: true }) },
    resolve: (_root, { csv }, ctx) => importInventory(ctx, csv),
  }),
  supportStaticAddressesChange: t.field({
    type: StaticInventoryOutcome,
    authScopes: { staff: 'inventory' },
    args: {
      addresses: t.arg.stringList({ required: true }),
      deed: t.arg({ type: StaticInventoryDeed, required: true }),
      note: t.arg.string(),
    },
    resolve: (_root, { deed: action, ...input }, ctx) => changeInventory(ctx, { ...input, action }),
  }),
}));
