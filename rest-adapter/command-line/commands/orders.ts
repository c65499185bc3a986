import type { OrderState, Offer } from '../../client/index.ts';
import { amount } from '../amount.ts';
import type { Command, Context } from '../command.ts';
import { type Given, WrongUse } from '../given.ts';
import { card, table } from '../table.ts';
import { SYSTEMS } from '../systems.ts';

const PRODUCTS = ['premium', 'private_residential', 'mobile', 'alt_residential'] as const;
const VPS_PLANS = ['plank', 'broglie', 'einstein'] as const;
const DEDICATED_PLANS = ['faraday', 'noether', 'curie'] as const;

const BUY = { buy: { says: 'buys it, within what the key may order; else only the price is told' } } as const;
const SERVER_OPTIONS = {
  os: { value: 'SYSTEM', says: SYSTEMS.join(', ') },
  months: { value: 'N', says: 'paid upfront: 1, 3 or 6; else 1' },
  hostname: { value: 'NAME', says: 'else it gets one' },
  ...BUY,
} as const;

function operandOf<Name extends string>(given: Given, name: string, names: readonly Name[]): Name {
  const found = names.find((one) => one === given.needed(name));
  if (found === undefined) throw new WrongUse(`${name} is one of ${names.join(', ')}.`);
  return found;
}

function serverOf(given: Given) {
  const os = given.oneOf('os', SYSTEMS);
  if (os === undefined) throw new WrongUse('--os is missing.');
  const months = given.number('months') ?? 1;
  if (months !== 1 && months !== 3 && months !== 6) throw new WrongUse('--months is 1, 3 or 6.');
  const hostname = given.text('hostname');
  return { os, months, ...(hostname !== undefined && { hostname }) } as const;
}

const orderCard = ({ order: { by_credit, charged, currency, ...rest } }: OrderState): string[] =>
  card({ ...rest, by_credit: amount(by_credit, currency), charged: amount(charged, currency) });

/** Tells the price, or buys at it. */
async function take({ client, given, answer, terminal }: Context, priced: Promise<Offer>): Promise<void> {
  const data = await priced;
  if (given.has('buy')) {
    const placed = await client.placeOrder({ offer: data.offer }, terminal);
    return answer(placed, orderCard(placed));
  }
  const { offer: _offer, subtotal, tax, total, renews_for: later, currency, ...rest } = data;
  const money = (minor: number) => amount(minor, currency);
  answer(
    data,
    card({ ...rest, subtotal: money(subtotal), tax: money(tax), total: money(total), renews_for: later === null ? null : money(later) }),
  );
}

export const ORDER_COMMANDS: readonly Command[] = [
  {
    name: 'orders residential',
    operands: ['PRODUCT', 'GB'],
    options: BUY,
    says: 'tells what a new residential plan costs, or buys it',
    run: (context) => {
      const { client, given, terminal } = context;
      const input = { product: operandOf(given, 'PRODUCT', PRODUCTS), gigabytes: given.count('GB') };
      return take(context, client.getResidentialOffer(input, terminal));
    },
  },
  {
    name: 'orders top-up',
    operands: ['PLAN', 'GB'],
    options: BUY,
    says: 'tells what more data for a plan costs, or buys it',
    run: (context) => {
      const { client, given, terminal } = context;
      return take(context, client.getTopUpPrice({ product_id: given.needed('PLAN'), gigabytes: given.count('GB') }, terminal));
    },
  },
  {
    name: 'orders static',
    operands: ['PRODUCT', 'ADDRESSES'],
    options: BUY,
    says: 'tells what ISP or datacenter addresses cost, or buys them',
    run: (context) => {
      const { client, given, terminal } = context;
      return take(context, client.getStaticOffer({ product: given.needed('PRODUCT'), quantity: given.count('ADDRESSES') }, terminal));
    },
  },
  {
    name: 'orders vps',
    operands: ['PLAN'],
    options: { ...SERVER_OPTIONS, location: { value: 'NAME', says: 'where it is to be; else where there is room' } },
    says: `tells what a VPS costs, or buys it: ${VPS_PLANS.join(', ')}`,
    run: (context) => {
      const { client, given, terminal } = context;
      const location = given.text('location');
      const input = { plan: operandOf(given, 'PLAN', VPS_PLANS), ...serverOf(given), ...(location !== undefined && { location }) };
      return take(context, client.getVpsOffer(input, terminal));
    },
  },
  {
    name: 'orders locations',
    options: { os: { value: 'SYSTEM', says: `with room for this system: ${SYSTEMS.join(', ')}` } },
    says: 'lists where a VPS can be ordered, and the plans that there is room for',
    async run({ client, given, answer, terminal }) {
      const os = given.oneOf('os', SYSTEMS);
      const data = await client.listVpsLocations({ ...(os !== undefined && { os }) }, terminal);
      const rows = data.locations.map(({ name, plans }) => [name, plans.join(', ') || 'out of stock']);
      answer(data, table(['LOCATION', 'PLANS'], rows, 'No VPS are sold here.'));
    },
  },
  {
    name: 'orders dedicated',
    operands: ['PLAN'],
    options: SERVER_OPTIONS,
    says: `tells what a dedicated server costs, or buys it: ${DEDICATED_PLANS.join(', ')}`,
    run: (context) => {
      const { client, given, terminal } = context;
      return take(context, client.getDedicatedOffer({ plan: operandOf(given, 'PLAN', DEDICATED_PLANS), ...serverOf(given) }, terminal));
    },
  },
  {
    name: 'orders show',
    operands: ['ORDER'],
    says: 'shows how far an order is, and what came of it',
    async run({ client, given, answer, terminal }) {
      const data = await client.getOrder({ order_id: given.needed('ORDER') }, terminal);
      answer(data, orderCard(data));
    },
  },
  {
    name: 'orders allowance',
    says: 'tells how much the key may order in a month',
    async run({ client, answer, terminal }) {
      const data = await client.getOrderAllowance({}, terminal);
      const { granted, ceiling, spent, currency } = data;
      answer(data, card({ granted: amount(granted, currency), ceiling: amount(ceiling, currency), spent: amount(spent, currency) }));
    },
  },
];
