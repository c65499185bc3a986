import type { KeptTable } from '#platform/kept-data.ts';

const OF_ACCOUNT = 'account_id = :account';
const OF_PLAN = 'plan_id in (select id from static.plan where account_id = :account)';
const BOOKS = 'as long as the books of its order';
const TENURE = 'for good: people who were harmed through an address ask later who held it';

export const kept: readonly KeptTable[] = [
  { table: 'static.account_country', holds: 'the country by which the account is taxed', kept: BOOKS, of: OF_ACCOUNT, key: ['account_id'] },
  {
    table: 'static.account_price',
    holds: 'prices of this account alone, and which member of staff has set them',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['id'],
  },
  {
    table: 'static.account_price_request',
    holds: 'such prices that a second member of staff had to agree to, and who did',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['id'],
  },
  { table: 'static.addition', holds: 'addresses that were added to a plan', kept: BOOKS, of: OF_PLAN, key: ['order_id'] },
  {
    table: 'static.address',
    holds: "the addresses of a plan, with the customer's notes",
    kept: 'for good: the stock',
    of: OF_PLAN,
    key: ['id'],
    atClosing: { note: 'null', label: 'null' },
  },
  { table: 'static.catalogue_entry', holds: 'which member of staff has set a price', kept: 'for good: the history of prices', key: ['id'] },
  { table: 'static.catalogue_import', kept: 'for good', key: ['id'] },
  {
    table: 'static.client_network',
    holds: 'networks from which a plan may be used without a password',
    kept: 'until it is removed, or the plan or account ends',
    of: OF_ACCOUNT,
    key: ['id'],
    atClosing: 'DELETE',
  },
  { table: 'static.cost_day', kept: 'for good', key: ['day'] },
  {
    table: 'static.health',
    holds: 'how well an address of a plan works',
    kept: 'as long as the plan holds it',
    of: OF_PLAN,
    key: ['address_id'],
  },
  { table: 'static.health_day', holds: 'the same per day', kept: BOOKS, of: OF_PLAN, key: ['address_id', 'plan_id', 'day'] },
  {
    table: 'static.hold',
    holds: 'addresses that are reserved for an order',
    kept: 'until the order is paid or expires',
    of: OF_ACCOUNT,
    key: ['id'],
  },
  { table: 'static.outage', holds: 'when an address of a plan did not work', kept: BOOKS, of: OF_PLAN, key: ['id'] },
  {
    table: 'static.plan',
    holds: 'what was bought, its proxy username, and client addresses that may use it',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['password_sealed', 'old_passwords_sealed'],
  },
  { table: 'static.replacement', holds: 'addresses that were exchanged, and why', kept: BOOKS, of: OF_PLAN, key: ['id'] },
  {
    table: 'static.replacement_pair',
    holds: 'which address replaced which',
    kept: BOOKS,
    of: 'replacement_id in (select replacement.id from static.replacement join static.plan on plan.id = plan_id where account_id = :account)',
    key: ['replacement_id', 'gone_id'],
  },
  {
    table: 'static.repriced',
    holds: 'that another price of a plan is announced',
    kept: 'until it applies',
    of: 'resource_id in (select id from static.plan where account_id = :account)',
    key: ['resource_id'],
  },
  {
    table: 'static.repricing',
    holds: 'which member of staff has announced another price',
    kept: 'for good: the history of prices',
    key: ['id'],
  },
  {
    table: 'static.stock_wish',
    holds: 'products whose stock somebody wants to be notified about',
    kept: 'until it is in stock, or the account is closed',
    of: OF_ACCOUNT,
    key: ['account_id', 'product_id'],
    atClosing: 'DELETE',
  },
  {
    table: 'static.suspended_account',
    holds: 'that the account is suspended or closed',
    kept: 'for good',
    of: OF_ACCOUNT,
    key: ['account_id'],
  },
  {
    table: 'static.tenure',
    holds: 'who held an address, from when until when',
    kept: TENURE,
    of: OF_PLAN,
    key: ['address_id', 'plan_id', 'started_at'],
  },
];
