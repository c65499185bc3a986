import type { KeptTable } from '#platform/kept-data.ts';

const OF_ACCOUNT = 'account_id = :account';
const OF_PLAN = 'plan_id in (select id from static.plan where account_id = :account)';
const BOOKS = 'as long as the books of its order';
const TENURE = 'for good: who held an address at a time is asked by those whom it has harmed';

export const kept: readonly KeptTable[] = [
  { table: 'static.account_country', holds: 'the country that taxes go by', kept: BOOKS, of: OF_ACCOUNT, key: ['account_id'] },
  { table: 'static.addition', holds: 'addresses that were added to a plan', kept: BOOKS, of: OF_PLAN, key: ['order_id'] },
  {
    table: 'static.address',
    holds: 'the addresses of a plan, with the notes of their holder',
    kept: 'for good: the stock',
    of: OF_PLAN,
    key: ['id'],
    atClosing: { note: 'null', label: 'null' },
  },
  { table: 'static.catalogue_entry', holds: 'which member of staff has set a price', kept: 'for good: what each price was', key: ['id'] },
  { table: 'static.catalogue_import', kept: 'for good', key: ['id'] },
  {
    table: 'static.health',
    holds: 'how well an address of a plan works',
    kept: 'as long as the plan holds it',
    of: OF_PLAN,
    key: ['address_id'],
  },
  { table: 'static.health_day', holds: 'the same by day', kept: BOOKS, of: OF_PLAN, key: ['address_id', 'plan_id', 'day'] },
  { table: 'static.hold', holds: 'addresses that are kept for an order', kept: 'until it is paid or over', of: OF_ACCOUNT, key: ['id'] },
  { table: 'static.outage', holds: 'when an address of a plan did not work', kept: BOOKS, of: OF_PLAN, key: ['id'] },
  {
    table: 'static.plan',
    holds: 'what was bought, its proxy name, addresses that may use it',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['password_sealed', 'old_passwords_sealed'],
  },
  { table: 'static.replacement', holds: 'addresses that were exchanged, and why', kept: BOOKS, of: OF_PLAN, key: ['id'] },
  {
    table: 'static.replacement_pair',
    holds: 'which address came for which',
    kept: BOOKS,
    of: 'replacement_id in (select replacement.id from static.replacement join static.plan on plan.id = plan_id where account_id = :account)',
    key: ['replacement_id', 'gone_id'],
  },
  {
    table: 'static.stock_wish',
    holds: 'what somebody wants to be told of',
    kept: 'until it is there, or the account is closed',
    of: OF_ACCOUNT,
    key: ['account_id', 'product_id'],
    atClosing: 'DELETE',
  },
  { table: 'static.suspended_account', holds: 'that nothing of the account runs', kept: 'for good', of: OF_ACCOUNT, key: ['account_id'] },
  {
    table: 'static.tenure',
    holds: 'who held an address, from when until when',
    kept: TENURE,
    of: OF_PLAN,
    key: ['address_id', 'plan_id', 'started_at'],
  },
];
