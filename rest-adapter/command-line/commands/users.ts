import type { CallOptions, EgressClient, ProxyUser } from '../../client/index.ts';
import type { Command, Option } from '../command.ts';
import type { Given } from '../given.ts';
import { card, table } from '../table.ts';

const TERMS: Readonly<Record<string, Option>> = {
  'daily-gb': { value: 'GB', says: 'limit of a day (UTC); 0 takes it away' },
  'monthly-gb': { value: 'GB', says: 'limit of a calendar month (UTC); 0 takes it away' },
  'total-gb': { value: 'GB', says: 'limit for good; 0 takes it away' },
  countries: { value: 'A,B', says: 'where its lines may leave from; empty: everywhere' },
  targets: { value: 'A,B', says: 'the hosts that its lines may reach; empty: all' },
  clients: { value: 'A,B', says: 'the addresses and networks that its lines work from; empty: all' },
};

/** The terms that were given, by the names of the API. */
const termsOf = (given: Given) =>
  Object.fromEntries(
    Object.entries({
      daily_limit_gb: given.number('daily-gb'),
      monthly_limit_gb: given.number('monthly-gb'),
      total_limit_gb: given.number('total-gb'),
      countries: given.list('countries'),
      targets: given.list('targets'),
      clients: given.list('clients'),
    }).filter(([, value]) => value !== undefined),
  );

/** A command on one user that answers with it. */
const onUser = (
  name: string,
  says: string,
  ask: (client: EgressClient, user: { user_id: string }, given: Given, options: CallOptions) => Promise<{ user: ProxyUser }>,
  options?: Command['options'],
): Command => ({
  name: `users ${name}`,
  operands: ['USER'],
  ...(options && { options }),
  says,
  async run({ client, given, answer, terminal }) {
    const data = await ask(client, { user_id: given.needed('USER') }, given, terminal);
    answer(data, card(data.user));
  },
});

export const USER_COMMANDS: readonly Command[] = [
  {
    name: 'users list',
    operands: ['PLAN'],
    options: { search: { value: 'WORDS', says: 'in the name or the username' } },
    says: 'lists the proxy users of a plan',
    async run({ client, given, answer, terminal }) {
      const search = given.text('search');
      const users: ProxyUser[] = [];
      const input = { product_id: given.needed('PLAN'), limit: 100, ...(search !== undefined && { search }) };
      for await (const user of client.eachProxyUser(input, terminal)) users.push(user);
      const rows = users.map(({ user_id, name, state, used_gb, total_limit_gb, username }) => [
        user_id,
        name,
        state,
        used_gb,
        total_limit_gb,
        username,
      ]);
      answer({ users }, table(['USER', 'NAME', 'STATE', 'USED GB', 'LIMIT GB', 'USERNAME'], rows, 'The plan has no proxy users.'));
    },
  },
  {
    name: 'users create',
    operands: ['PLAN', 'NAME'],
    options: TERMS,
    says: 'makes a proxy user of a plan, with limits of its own',
    async run({ client, given, answer, terminal }) {
      const data = await client.createProxyUser(
        { product_id: given.needed('PLAN'), name: given.needed('NAME'), ...termsOf(given) },
        terminal,
      );
      answer(data, card(data.user));
    },
  },
  onUser('show', 'shows a proxy user with its password', (client, user, _given, options) => client.getProxyUser(user, options)),
  onUser(
    'change',
    'renames, pauses or limits a proxy user',
    (client, user, given, options) => {
      const name = given.text('name');
      const paused = given.has('pause') ? true : given.has('resume') ? false : undefined;
      return client.changeProxyUser(
        { ...user, ...termsOf(given), ...(name !== undefined && { name }), ...(paused !== undefined && { paused }) },
        options,
      );
    },
    {
      name: { value: 'NAME', says: 'what it is called' },
      pause: { says: 'refuses its lines' },
      resume: { says: 'lets it go on' },
      ...TERMS,
    },
  ),
  onUser('reset', 'gives a proxy user a new password', (client, user, _given, options) => client.resetProxyUserPassword(user, options)),
  onUser('renew', 'lets the total limit count from now', (client, user, _given, options) => client.renewProxyUser(user, options)),
  {
    name: 'users remove',
    operands: ['USER'],
    says: 'removes a proxy user for good',
    async run({ client, given, answer, terminal }) {
      const data = await client.removeProxyUser({ user_id: given.needed('USER') }, terminal);
      answer(data, [`${data.user_id} is removed.`]);
    },
  },
];
