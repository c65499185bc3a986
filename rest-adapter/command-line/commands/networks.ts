import type { ClientNetworks, StaticNetworks } from '../../client/index.ts';
import type { Command, Context } from '../command.ts';
import { type Given, WrongUse } from '../given.ts';
import { table } from '../table.ts';

/** Of residential plans what a line from there says, of static ones the address that may be used. */
const answerWith = ({ answer }: Pick<Context, 'answer'>, data: ClientNetworks | StaticNetworks): void => {
  const isStatic = 'plan_id' in data;
  const rows = data.networks.map(({ network_id, network, note, used_at, ...own }) => [
    network_id,
    network,
    'line' in own ? own.line : (own.ip ?? 'all'),
    used_at,
    note,
  ]);
  const needed = data.networks_and_password
    ? 'Lines need their password and one of the networks.'
    : 'One of the networks, or the password.';
  answer(data, [needed, ...table(['ID', 'NETWORK', isStatic ? 'ADDRESS' : 'LINE', 'USED', 'NOTE'], rows, 'The plan has no networks.')]);
};

/** Whether both are needed, as `--both` and `--either` say it. */
const LOG_IN_OPTIONS = { both: { says: 'the password and a network are needed' }, either: { says: 'either of them is enough' } };
function bothOf(given: Given): boolean {
  if (given.has('both') === given.has('either')) throw new WrongUse('Which one: --both or --either.');
  return given.has('both');
}

export const NETWORK_COMMANDS: readonly Command[] = [
  {
    name: 'networks list',
    operands: ['PLAN'],
    says: 'lists the networks that a plan is used from without a password',
    async run({ client, given, terminal, ...context }) {
      answerWith(context, await client.listClientNetworks({ product_id: given.needed('PLAN') }, terminal));
    },
  },
  {
    name: 'networks add',
    operands: ['PLAN', 'NETWORK'],
    options: {
      pool: { value: 'PLACE', says: 'where it leaves from; else Worldwide' },
      state: { value: 'STATE', says: 'of a single country' },
      city: { value: 'CITY', says: 'of a single country' },
      exclude: { value: 'A,B', says: 'countries that it does not leave from' },
      time: { value: 'MINUTES', says: 'how long a session stays; else 60' },
      rotating: { says: 'a fresh address for each connection' },
      note: { value: 'WORDS', says: 'what it is' },
    },
    says: 'lets a network use a plan without a password',
    async run({ client, given, terminal, ...context }) {
      const texts = ['pool', 'state', 'city', 'exclude', 'note'].map((name) => [name, given.text(name)] as const);
      const named = Object.fromEntries(texts.filter(([, value]) => value !== undefined));
      const time = given.number('time');
      const input = { ...named, ...(time !== undefined && { time }), sticky: !given.has('rotating') };
      const network = { product_id: given.needed('PLAN'), network: given.needed('NETWORK') };
      answerWith(context, await client.addClientNetwork({ ...network, ...input }, terminal));
    },
  },
  {
    name: 'networks remove',
    operands: ['ID'],
    says: 'lets a network in no more without a password',
    async run({ client, given, terminal, ...context }) {
      answerWith(context, await client.removeClientNetwork({ network_id: given.needed('ID') }, terminal));
    },
  },
  {
    name: 'networks log-in',
    operands: ['PLAN'],
    options: LOG_IN_OPTIONS,
    says: 'sets whether lines need their password and a network',
    async run({ client, given, terminal, ...context }) {
      const input = { product_id: given.needed('PLAN'), networks_and_password: bothOf(given) };
      answerWith(context, await client.setPlanLogIn(input, terminal));
    },
  },
  {
    name: 'static-networks list',
    operands: ['PLAN'],
    says: 'lists the networks that a static plan is used from without a password',
    async run({ client, given, terminal, ...context }) {
      answerWith(context, await client.listStaticNetworks({ plan_id: given.needed('PLAN') }, terminal));
    },
  },
  {
    name: 'static-networks add',
    operands: ['PLAN', 'NETWORK'],
    options: { address: { value: 'IP', says: 'one address of the plan; else all of them' }, note: { value: 'WORDS', says: 'what it is' } },
    says: 'lets a network use a static plan without a password',
    async run({ client, given, terminal, ...context }) {
      const [ip, note] = [given.text('address'), given.text('note')];
      const input = { ...(ip !== undefined && { ip }), ...(note !== undefined && { note }) };
      const network = { plan_id: given.needed('PLAN'), network: given.needed('NETWORK') };
      answerWith(context, await client.addStaticNetwork({ ...network, ...input }, terminal));
    },
  },
  {
    name: 'static-networks remove',
    operands: ['ID'],
    says: 'lets a network in no more without a password',
    async run({ client, given, terminal, ...context }) {
      answerWith(context, await client.removeStaticNetwork({ network_id: given.needed('ID') }, terminal));
    },
  },
  {
    name: 'static-networks log-in',
    operands: ['PLAN'],
    options: LOG_IN_OPTIONS,
    says: 'sets whether lines of a static plan need their password and a network',
    async run({ client, given, terminal, ...context }) {
      const input = { plan_id: given.needed('PLAN'), networks_and_password: bothOf(given) };
      answerWith(context, await client.setStaticLogIn(input, terminal));
    },
  },
];
