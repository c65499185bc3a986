// Gateways of other sellers of proxies, for staff.
import { because, fail } from '#platform/errors.ts';
import { usd } from '#commerce/money.ts';
import { builder } from '../../builder.ts';
import { GATEWAY_PRESETS, type GatewayPreset } from '../../../../edge/protocol/gateway-presets.ts';
import type { PlaceStatus } from '../../../../edge/protocol/control-plane.ts';
import { Money, ResidentialProductCode } from '../../plans/graphql/residential-product.ts';
import { GATEWAY_STATES, costOf, differencePercent, gatewayStateOf } from '../domain/gateway.ts';
import { type GatewayBill, type GatewayDay, gatewayDays } from '../entities/gateway.ts';
import {
  type SeenGateway,
  billsOf,
  listGateways,
  monthOf,
  noteGatewayBill,
  readGateway,
  removeGateway,
  setGateway,
} from '../services/gateways.ts';

const toInt = (count: number): number => Math.min(count, 2 ** 31 - 1);

const GatewayState = builder.enumType('GatewayState', { values: GATEWAY_STATES });
const GatewayProtocol = builder.enumType('GatewayProtocol', { values: { HTTP: { value: 'http' }, SOCKS5: { value: 'socks5' } } as const });
const GatewayResolve = builder.enumType('GatewayResolve', { values: { EXIT: { value: 'exit' }, NODE: { value: 'node' } } as const });

const GatewayPlace = builder.objectRef<PlaceStatus>('GatewayPlace').implement({
  fields: (t) => ({
    place: t.exposeString('place'),
    opened: t.int({ resolve: ({ opened }) => toInt(opened) }),
    faults: t.int({ resolve: ({ faults }) => toInt(faults) }),
    misplaced: t.int({ resolve: ({ misplaced }) => toInt(misplaced) }),
    out: t.exposeBoolean('out'),
  }),
});

const GatewayDayType = builder.objectRef<GatewayDay & { perGbMinor: number }>('GatewayDay').implement({
  fields: (t) => ({
    day: t.expose('day', { type: 'Date' }),
    upBytes: t.expose('upBytes', { type: 'Bytes' }),
    downBytes: t.expose('downBytes', { type: 'Bytes' }),
    cost: t.field({ type: Money, resolve: ({ upBytes, downBytes, perGbMinor }) => usd(Number(costOf(upBytes + downBytes, perGbMinor))) }),
  }),
});

const GatewayBillType = builder.objectRef<GatewayBill & { perGbMinor: number }>('GatewayBill').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    firstDay: t.expose('firstDay', { type: 'Date' }),
    lastDay: t.expose('lastDay', { type: 'Date' }),
    billedBytes: t.expose('billedBytes', { type: 'Bytes' }),
    countedBytes: t.expose('countedBytes', { type: 'Bytes' }),
    differencePercent: t.float({
      nullable: true,
      resolve: ({ billedBytes, countedBytes }) => differencePercent(billedBytes, countedBytes),
    }),
    amount: t.field({ type: Money, resolve: ({ amountMinor }) => usd(amountMinor) }),
    expected: t.field({ type: Money, resolve: ({ countedBytes, perGbMinor }) => usd(Number(costOf(countedBytes, perGbMinor))) }),
  }),
});

const Gateway = builder.objectRef<SeenGateway>('Gateway').implement({
  fields: (t) => ({
    id: t.id({ resolve: ({ definition }) => definition.id }),
    state: t.field({ type: GatewayState, resolve: (gateway) => gatewayStateOf(gateway, gateway.report) }),
    trouble: t.string({ nullable: true, resolve: ({ report }) => report.trouble }),
    enabled: t.exposeBoolean('enabled'),
    products: t.field({ type: [ResidentialProductCode], resolve: ({ definition }) => [...definition.products] }),
    protocol: t.field({ type: GatewayProtocol, resolve: ({ definition }) => definition.protocol }),
    host: t.string({ resolve: ({ definition }) => definition.host }),
    port: t.int({ resolve: ({ definition }) => definition.port }),
    username: t.string({ resolve: ({ definition }) => definition.username }),
    countries: t.stringList({
      nullable: true,
      resolve: ({ definition }) => (definition.countries === '*' ? null : [...definition.countries]),
    }),
    names: t.string({ nullable: true, resolve: ({ definition }) => definition.names && JSON.stringify(definition.names) }),
    answers: t.string({ nullable: true, resolve: ({ definition }) => definition.answers && JSON.stringify(definition.answers) }),
    resolve: t.field({ type: GatewayResolve, resolve: ({ definition }) => definition.resolve }),
    minSessionMinutes: t.int({ nullable: true, resolve: ({ definition }) => definition.minSessionMinutes }),
    maxSessionMinutes: t.int({ nullable: true, resolve: ({ definition }) => definition.maxSessionMinutes }),
    carrier: t.string({ nullable: true, resolve: ({ definition }) => definition.carrier }),
    weight: t.int({ resolve: ({ definition }) => definition.weight ?? 1 }),
    capacity: t.int({ nullable: true, resolve: ({ definition }) => definition.capacity }),
    checkUrl: t.string({
      nullable: true,
      resolve: ({ definition: { check } }) => check && `http://${check.host}:${check.port}${check.path}#${check.field}`,
    }),
    costPerGb: t.field({ type: Money, resolve: ({ costPerGbMinor }) => usd(costPerGbMinor) }),
    monthlyCap: t.field({
      type: Money,
      nullable: true,
      resolve: ({ monthlyCapMinor }) => (monthlyCapMinor === null ? null : usd(monthlyCapMinor)),
    }),
    monthBytes: t.expose('monthBytes', { type: 'Bytes' }),
    monthCost: t.field({ type: Money, resolve: ({ monthBytes, costPerGbMinor }) => usd(Number(costOf(monthBytes, costPerGbMinor))) }),
    changedAt: t.expose('changedAt', { type: 'DateTime' }),
    nodes: t.int({ resolve: ({ report }) => report.nodes }),
    healthyNodes: t.int({ resolve: ({ report }) => report.healthyNodes }),
    connections: t.int({ resolve: ({ report }) => toInt(report.connections) }),
    opened: t.int({ resolve: ({ report }) => toInt(report.opened) }),
    faults: t.int({ resolve: ({ report }) => toInt(report.faults) }),
    places: t.field({ type: [GatewayPlace], resolve: ({ report }) => report.places }),
    days: t.field({
      type: [GatewayDayType],
      resolve: async ({ definition, costPerGbMinor }, _args, { em, clock }) =>
        (await gatewayDays(em, definition.id, monthOf(clock.now()))).map((day) => ({ ...day, perGbMinor: costPerGbMinor })),
    }),
    bills: t.field({
      type: [GatewayBillType],
      resolve: async ({ definition, costPerGbMinor }, _args, ctx) =>
        (await billsOf(ctx, definition.id)).map((bill) => ({ ...bill, perGbMinor: costPerGbMinor })),
    }),
  }),
});

const GatewayPresetType = builder.objectRef<GatewayPreset>('GatewayPreset').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    username: t.exposeString('username'),
    passwordTemplate: t.exposeString('password'),
    minSessionMinutes: t.exposeInt('minSessionMinutes', { nullable: true }),
    maxSessionMinutes: t.exposeInt('maxSessionMinutes', { nullable: true }),
  }),
});

const SupportGatewayInput = builder.inputType('SupportGatewayInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    enabled: t.boolean({ required: true, defaultValue: true }),
    products: t.field({ type: [ResidentialProductCode], required: true }),
    protocol: t.field({ type: GatewayProtocol, required: true, defaultValue: 'http' }),
    host: t.string({ required: true }),
    port: t.int({ required: true }),
    username: t.string({ required: true }),
    password: t.string(),
    countries: t.stringList(),
    names: t.string(),
    answers: t.string(),
    resolve: t.field({ type: GatewayResolve, required: true, defaultValue: 'exit' }),
    minSessionMinutes: t.int(),
    maxSessionMinutes: t.int(),
    carrier: t.string(),
    weight: t.int(),
    capacity: t.int(),
    checkUrl: t.string(),
    costPerGbMinor: t.int({ required: true }),
    monthlyCapMinor: t.int(),
  }),
});

/** Throws `parameter_invalid` for a text that is not JSON. */
function parsed(field: string, text: string | null | undefined): unknown {
  if (text == null || text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw fail('parameter_invalid', { field, reason: because('gateway_unfit', { words: `${field}: JSON` }) });
  }
}

/** Reads `http://host:port/path#field`: a site that answers in JSON with the country of the exit, and the member that has it. */
function toCheck(text: string | null | undefined): unknown {
  if (text == null || text.trim() === '') return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== 'http:')
    throw fail('parameter_invalid', { field: 'checkUrl', reason: because('gateway_unfit', { words: 'checkUrl: http://' }) });
  return { host: url.hostname, port: Number(url.port || 80), path: `${url.pathname}${url.search}`, field: url.hash.slice(1) || 'country' };
}

const present = (values: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));

builder.queryFields((t) => ({
  supportGateways: t.field({ type: [Gateway], authScopes: { staff: 'nodes' }, resolve: (_root, _args, ctx) => listGateways(ctx) }),
  supportGateway: t.field({
    type: Gateway,
    authScopes: { staff: 'nodes' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readGateway(ctx, id),
  }),
  supportGatewayPresets: t.field({ type: [GatewayPresetType], authScopes: { staff: 'nodes' }, resolve: () => [...GATEWAY_PRESETS] }),
}));

builder.mutationFields((t) => ({
  supportGatewaySet: t.field({
    type: Gateway,
    authScopes: { staff: 'nodes' },
    args: { input: t.arg({ type: SupportGatewayInput, required: true }) },
    resolve(_root, { input }, ctx) {
      const { id, enabled, costPerGbMinor, monthlyCapMinor, checkUrl, username, password, names, answers, ...rest } = input;
      const more = { names: parsed('names', names), answers: parsed('answers', answers), check: toCheck(checkUrl) };
      return setGateway(ctx, {
        id,
        enabled,
        costPerGbMinor,
        monthlyCapMinor: monthlyCapMinor ?? null,
        definition: { ...present({ ...rest, ...more }), username, password: password || undefined },
      });
    },
  }),
  supportGatewayRemove: t.id({
    authScopes: { staff: 'nodes' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => removeGateway(ctx, id),
  }),
  supportGatewayNoteBill: t.field({
    type: Gateway,
    authScopes: { staff: 'nodes' },
    args: {
      id: t.arg.id({ required: true }),
      firstDay: t.arg({ type: 'Date', required: true }),
      lastDay: t.arg({ type: 'Date', required: true }),
      billedBytes: t.arg({ type: 'Bytes', required: true }),
      amountMinor: t.arg.int({ required: true }),
    },
    resolve: (_root, { id, ...bill }, ctx) => noteGatewayBill(ctx, { gatewayId: id, ...bill }),
  }),
}));
