// Valid and invalid values of every parameter of every endpoint, as table rows that run against any World.
import type { World } from './world.ts';

export interface Case {
  title: string;
  path: (plans: World['plans']) => string;
  status: number;
  code?: string;
  field?: string;
  allowed?: unknown[];
}

const PROXIES = { sticky: 'true', pool: 'DE', quantity: '2' };

/** The path of a generation with changed parameters; `undefined` leaves one out. */
const proxies =
  (change: Record<string, string | undefined> = {}, plan: keyof World['plans'] = 'premium') =>
  (plans: World['plans']) => {
    const query = Object.entries({ ...PROXIES, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    return `/v1/residential/${plans[plan]}/proxies?${query.join('&')}`;
  };
/** The same with raw text appended. */
const proxiesAnd = (text: string) => (plans: World['plans']) => `${proxies()(plans)}${text}`;
const without = (name: keyof typeof PROXIES) => proxies({ [name]: undefined });

const LONG = 'x'.repeat(5_000);
const NUL = '\u0000';

/** Values that are not whole numbers. */
const NO_INTEGERS = [
  '',
  ' ',
  '1.5',
  '1.0',
  '-1',
  '+1',
  '1e2',
  '0x10',
  '1,000',
  '1_000',
  ' 5',
  '5 ',
  'five',
  'NaN',
  'Infinity',
  'null',
  'true',
  '５',
  '٣',
  '1\n',
  NUL,
  LONG,
];

const invalid = (name: string, values: readonly string[], code: string, expected: Partial<Case> = {}): Case[] =>
  values.map((value) => ({
    title: `${expected.status ?? 400} when ${name} is ${JSON.stringify(value.slice(0, 12))}`,
    path: proxies({ [name]: value }),
    status: 400,
    code,
    field: name,
    ...expected,
  }));

const generation: Case[] = [
  { title: '200 with the least that is required', path: proxies(), status: 200 },
  { title: '200 for one line', path: proxies({ quantity: '1' }), status: 200 },
  { title: '200 for 10,000 lines', path: proxies({ quantity: '10000' }), status: 200 },
  { title: '200 with leading zeros, which are decimal digits', path: proxies({ quantity: '002', time: '060' }), status: 200 },
  { title: '200 for a country by name, in any letter case', path: proxies({ pool: 'gErMaNy' }), status: 200 },
  { title: '200 for a country whose name has a space', path: proxies({ pool: 'United States', state: 'New York' }), status: 200 },
  {
    title: '200 for a space written as a plus',
    path: (plans) => `/v1/residential/${plans.premium}/proxies?sticky=true&quantity=1&pool=United+States`,
    status: 200,
  },
  { title: '200 for Worldwide', path: proxies({ pool: 'Worldwide' }), status: 200 },
  { title: '200 for Europe', path: proxies({ pool: 'europe' }), status: 200 },
  { title: '200 for several countries', path: proxies({ pool: 'Germany, FR' }), status: 200 },
  { title: '200 for the world without some countries', path: proxies({ pool: 'Worldwide', exclude: 'US, Canada' }), status: 200 },
  { title: '400 for Europe among countries', path: proxies({ pool: 'DE,Europe' }), status: 400, code: 'parameter_invalid', field: 'pool' },
  {
    title: '400 for an exclusion that is no country',
    path: proxies({ exclude: 'Mars' }),
    status: 400,
    code: 'pool_unknown',
    field: 'exclude',
  },
  { title: '200 for rotating lines', path: proxies({ sticky: 'false' }), status: 200 },
  { title: '200 for socks5', path: proxies({ type: 'socks5' }), status: 200 },
  { title: '200 for each minute of the list', path: proxies({ time: '240' }), status: 200 },
  { title: '200 with unknown extra parameters', path: proxiesAnd('&colour=blue&colour=red&__proto__=1&'), status: 200 },
  { title: '400 without sticky', path: without('sticky'), status: 400, code: 'parameter_missing', field: 'sticky' },
  { title: '400 without pool', path: without('pool'), status: 400, code: 'parameter_missing', field: 'pool' },
  { title: '400 without quantity', path: without('quantity'), status: 400, code: 'parameter_missing', field: 'quantity' },
  {
    title: '400 without any parameter',
    path: ({ premium }) => `/v1/residential/${premium}/proxies`,
    status: 400,
    code: 'parameter_missing',
  },
  {
    title: '400 when a name has another letter case',
    path: ({ premium }) => `/v1/residential/${premium}/proxies?sticky=true&pool=DE&Quantity=2`,
    status: 400,
    code: 'parameter_missing',
    field: 'quantity',
  },
  ...invalid(
    'sticky',
    ['', 'TRUE', 'True', 'yes', 'no', '1', '0', 'on', 'null', 'true ', ' true', 'truefalse', NUL, LONG],
    'parameter_invalid',
    { allowed: ['true', 'false'] },
  ),
  ...invalid('quantity', NO_INTEGERS, 'quantity_invalid'),
  ...invalid('quantity', ['0', '10001', '99999999999999999999', '9'.repeat(400)], 'quantity_invalid'),
  ...invalid('type', ['', 'HTTP', 'Socks5', 'socks4', 'http ', NUL, LONG], 'parameter_invalid', { allowed: ['http', 'socks5', 'https'] }),
  // Not offered on this platform.
  ...invalid('type', ['https'], 'parameter_invalid', { allowed: ['http', 'socks5'] }),
  ...invalid(
    'pool',
    ['', ' ', 'Atlantis', 'XX', 'DEU', 'de-DE', 'DE,FRX', 'DE,', '%', '../etc/passwd', "' or 1=1 --", '🌍', NUL, `DE${NUL}`, LONG],
    'pool_unknown',
  ),
  ...invalid('time', [...NO_INTEGERS, '0', '5', '59', '720', '1440', '99999999999', '30m'], 'time_not_allowed', {
    allowed: [30, 60, 120, 240],
  }),
  {
    title: "400 when time is another product's",
    path: proxies({ time: '240' }, 'mobile'),
    status: 400,
    code: 'time_not_allowed',
    field: 'time',
    allowed: [30, 60, 120],
  },
  {
    title: '400 when time is not in the list, also where it has no effect',
    path: proxies({ sticky: 'false', time: '45' }),
    status: 400,
    code: 'time_not_allowed',
    field: 'time',
  },
  {
    title: '400 for a state of Worldwide',
    path: proxies({ pool: 'Worldwide', state: 'Texas' }),
    status: 400,
    code: 'targeting_needs_country',
    field: 'state',
  },
  {
    title: '400 for a city of Europe',
    path: proxies({ pool: 'Europe', city: 'Berlin' }),
    status: 400,
    code: 'targeting_needs_country',
    field: 'city',
  },
  ...['', 'Atlantis', 'Bavaria', NUL, LONG].map((state): Case => ({
    title: `400 when state is ${JSON.stringify(state.slice(0, 12))}`,
    path: proxies({ pool: 'US', state }),
    status: 400,
    code: 'state_unknown',
    field: 'state',
  })),
  ...invalid('city', ['', 'Atlantis', 'Ber\u0000lin', LONG], 'city_unknown'),
  ...['sticky', 'pool', 'quantity'].map((name): Case => ({
    title: `400 when ${name} is given twice`,
    path: proxiesAnd(`&${name}=${PROXIES[name as keyof typeof PROXIES]}`),
    status: 400,
    code: 'parameter_repeated',
    field: name,
  })),
  ...['type=http', 'time=60', 'state=x', 'city=x'].map((pair): Case => ({
    title: `400 when ${pair} is given twice`,
    path: proxiesAnd(`&${pair}&${pair}`),
    status: 400,
    code: 'parameter_repeated',
    field: pair.split('=')[0] ?? '',
  })),
  {
    title: '400 when a name is given twice in two spellings',
    path: proxiesAnd('&p%6fol=FR'),
    status: 400,
    code: 'parameter_repeated',
    field: 'pool',
  },
  {
    title: '400 when a value is no percent-encoded UTF-8',
    path: ({ premium }) => `/v1/residential/${premium}/proxies?sticky=true&quantity=1&pool=%E4`,
    status: 400,
    code: 'parameter_invalid',
    field: 'pool',
  },
  { title: '400 when a name is no percent-encoded UTF-8', path: proxiesAnd('&%zz=1'), status: 400, code: 'parameter_invalid' },
  { title: '404 when the plan is used up', path: proxies({}, 'expired'), status: 404, code: 'plan_expired' },
  {
    title: "404 when the plan is another account's",
    path: proxies({}, 'foreign'),
    status: 404,
    code: 'plan_not_found',
    field: 'product_id',
  },
];

/** Ids that no plan has, for use in a path. */
const NO_PLANS: readonly [string, string][] = [
  ['an unknown id', 'plan_00000000000000000000000000'],
  ['a word', 'premium'],
  ['a number', '0'],
  ['text with a NUL', 'plan_%00'],
  ['text that is no UTF-8', '%ff%fe'],
  ['a slash', 'a%2Fb'],
  ['a quote', "'%20or%201=1"],
  ['an emoji', '%F0%9F%98%80'],
  ['half a percent', '%'],
  ['five thousand characters', LONG],
  ['an id with a space behind', 'PLAN%20'],
];

const plans: Case[] = ['usage', 'statistics', 'locations', 'usage/breakdown?by=day', 'proxies?sticky=true&pool=DE&quantity=1'].flatMap(
  (rest) => {
    const of = rest.split('?')[0];
    return [
      ...NO_PLANS.map(([what, id]): Case => ({
        title: `404 for the ${of} of ${what}`,
        path: ({ premium }) => `/v1/residential/${id.replace('PLAN', premium)}/${rest}`,
        status: 404,
        code: 'plan_not_found',
        field: 'product_id',
      })),
      {
        title: `404 for the ${of} of another account's plan`,
        path: ({ foreign }) => `/v1/residential/${foreign}/${rest}`,
        status: 404,
        code: 'plan_not_found',
        field: 'product_id',
      },
    ];
  },
);

const reads: Case[] = [
  { title: '200 for the plan list', path: () => '/v1/residential', status: 200 },
  { title: '200 for the plan list with extra parameters', path: () => '/v1/residential?page=x&page=y', status: 200 },
  { title: '200 for the usage of a plan', path: ({ premium }) => `/v1/residential/${premium}/usage`, status: 200 },
  { title: '200 for the usage of a plan that is used up', path: ({ expired }) => `/v1/residential/${expired}/usage`, status: 200 },
  { title: '200 for the statistics of a plan', path: ({ premium }) => `/v1/residential/${premium}/statistics`, status: 200 },
  {
    title: '200 for the statistics of a plan that is used up',
    path: ({ expired }) => `/v1/residential/${expired}/statistics`,
    status: 200,
  },
  {
    title: '200 for the locations of a pool',
    path: ({ premium }) => `/v1/residential/${premium}/locations?pool=united+states`,
    status: 200,
  },
  {
    title: '200 for the locations of several countries',
    path: ({ premium }) => `/v1/residential/${premium}/locations?pool=de,us`,
    status: 200,
  },
  {
    title: '400 for the locations of a pool that is none',
    path: ({ premium }) => `/v1/residential/${premium}/locations?pool=Germanny`,
    status: 400,
    code: 'pool_unknown',
    field: 'pool',
    allowed: ['Germany'],
  },
  { title: '200 for the events', path: () => '/v1/events?limit=1', status: 200 },
  {
    title: '404 for the events after one that the account does not have',
    path: () => '/v1/events?after=evt_nobody',
    status: 404,
    code: 'webhook_event_not_found',
    field: 'after',
  },
  {
    title: '400 for more events than there are at once',
    path: () => '/v1/events?limit=101',
    status: 400,
    code: 'limit_invalid',
    field: 'limit',
  },
  { title: '200 for the subscriptions', path: () => '/v1/subscriptions', status: 200 },
];

const paging = (name: string, values: readonly string[], code: string): Case[] =>
  values.map((value) => ({
    title: `400 when ${name} is ${JSON.stringify(value.slice(0, 12))}`,
    path: () => `/v1/static/isp?${name}=${encodeURIComponent(value)}`,
    status: 400,
    code,
    field: name,
  }));

const statics: Case[] = [
  ...['isp', 'dc'].map((type): Case => ({ title: `200 for plans of ${type}`, path: () => `/v1/static/${type}`, status: 200 })),
  { title: '200 for a page past the end', path: () => '/v1/static/isp?page=2147483647&limit=100', status: 200 },
  { title: '200 for an unknown product', path: () => '/v1/static/isp?productId=nothing', status: 200 },
  ...['', NUL, '😀', '%', LONG].map((value): Case => ({
    title: `200 for a product that is ${JSON.stringify(value.slice(0, 12))}`,
    path: () => `/v1/static/isp?productId=${encodeURIComponent(value)}`,
    status: 200,
  })),
  ...paging('page', [...NO_INTEGERS, '0', '2147483648', '99999999999999999999'], 'page_invalid'),
  ...paging('limit', [...NO_INTEGERS, '0', '101', '99999999999999999999'], 'limit_invalid'),
  ...paging('protocol', ['', 'HTTPS', 'socks5', NUL], 'parameter_invalid'),
  ...['page=1', 'limit=5', 'productId=x', 'protocol=http'].map((pair): Case => ({
    title: `400 when ${pair} is given twice`,
    path: () => `/v1/static/isp?${pair}&${pair}`,
    status: 400,
    code: 'parameter_repeated',
    field: pair.split('=')[0] ?? '',
  })),
  ...['ISP', 'Dc', 'datacenter', 'residential', 'isp%20', '%69%73%70%00', '%ff', '%', '😀', LONG].map((type): Case => ({
    title: `400 when the product type is ${type.slice(0, 12)}`,
    path: () => `/v1/static/${type}`,
    status: 400,
    code: 'product_type_unknown',
    field: 'productType',
    allowed: ['isp', 'dc'],
  })),
];

const routes: Case[] = [
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v1/residential/',
  '/v1/residential/plan_a',
  '/v1/residential//usage',
  '/v1/residential/plan_a/usage/',
  '/v1/Residential',
  '/v1/residential/plan_a/USAGE',
  '/v1/residential/plan_a/usage/more',
  '/v1/static',
  '/v1/static/',
  '/v1/static/isp/1',
  '/v1/subscriptions/',
  '/v1/%72esidential',
  '/v1//residential',
].map((path) => ({ title: `404 at ${path}`, path: () => path, status: 404, code: 'route_not_found' }));

const breakdown = (change: string) => (plans: World['plans']) => `/v1/residential/${plans.premium}/usage/breakdown?by=host${change}`;

const breakdowns: Case[] = [
  { title: '200 for a breakdown', path: breakdown(''), status: 200 },
  {
    title: '200 for a breakdown of a day, with another zone',
    path: breakdown('&from=2026-01-14T00%3A00%3A00%2B01%3A00&to=2026-01-15T00:00:00Z&limit=1'),
    status: 200,
  },
  ...['', 'HOST', 'moon', NUL].map((by): Case => ({
    title: `400 for a breakdown by ${JSON.stringify(by)}`,
    path: ({ premium }) => `/v1/residential/${premium}/usage/breakdown?by=${encodeURIComponent(by)}`,
    status: 400,
    code: 'parameter_invalid',
    field: 'by',
    allowed: ['day', 'hour', 'country', 'session', 'host', 'client', 'batch', 'api_key', 'user'],
  })),
  ...['yesterday', '2026-01-14', '1768348800', LONG].map((from): Case => ({
    title: `400 for a breakdown from ${from.slice(0, 12)}`,
    path: breakdown(`&from=${from}`),
    status: 400,
    code: 'parameter_invalid',
    field: 'from',
  })),
  ...['0', '10001', 'x'].map((limit): Case => ({
    title: `400 for a breakdown of ${limit} rows`,
    path: breakdown(`&limit=${limit}`),
    status: 400,
    code: 'parameter_invalid',
    field: 'limit',
  })),
  {
    title: '404 for a batch that there is not',
    path: () => '/v1/residential-batches/batch_00000000000000000000000000',
    status: 404,
    code: 'batch_not_found',
    field: 'batch_id',
  },
];

export const CASES: readonly Case[] = [...reads, ...generation, ...plans, ...breakdowns, ...statics, ...routes];

/** A path of each endpoint that answers 200. */
export const GOOD_PATHS: readonly Case['path'][] = [
  () => '/v1/residential',
  proxies(),
  ({ premium }) => `/v1/residential/${premium}/usage`,
  ({ premium }) => `/v1/residential/${premium}/statistics`,
  () => '/v1/static/isp',
  () => '/v1/subscriptions',
  ({ premium }) => `/v1/residential/${premium}/locations`,
  () => '/v1/events',
  breakdown(''),
];
