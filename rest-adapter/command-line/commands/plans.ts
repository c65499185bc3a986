import type { Command } from '../command.ts';
import { plain, table } from '../table.ts';

export const PLAN_COMMANDS: readonly Command[] = [
  {
    name: 'plans',
    says: 'lists the residential plans',
    async run({ client, answer, terminal }) {
      const data = await client.listResidentialPlans({}, terminal);
      const rows = data.plans.map(({ product_id, product_name, data_gb, username, status, valid_until }) => [
        product_id,
        product_name,
        data_gb,
        status,
        valid_until ?? 'for ever',
        username,
      ]);
      answer(data, table(['PLAN', 'PRODUCT', 'GB', 'STATUS', 'VALID UNTIL', 'USERNAME'], rows, 'There are no residential plans.'));
    },
  },
  {
    name: 'locations',
    operands: ['PLAN'],
    options: { pool: { value: 'PLACE', says: 'the states and cities of this country' } },
    says: 'lists where lines of a plan may leave from, and for how long they stay',
    async run({ client, given, answer, terminal }) {
      const pool = given.text('pool');
      const data = await client.listLocations({ product_id: given.needed('PLAN'), ...(pool !== undefined && { pool }) }, terminal);
      const places = data.pools.flatMap(({ code, name, states = [] }) => [
        `${code}  ${plain(name)}`,
        ...states.flatMap((state) => [`  ${plain(state.name)}`, ...state.cities.map((city) => `    ${plain(city.name)}`)]),
      ]);
      answer(data, [`${plain(data.product_name)}: sticky for ${data.session_minutes.join(', ')} minutes`, ...places]);
    },
  },
];
