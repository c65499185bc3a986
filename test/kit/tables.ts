// The tables as tests look at them where no API shows the same: SQL on them stands here and in the worlds' own `tables.ts`, not in tests.
import type { EventType, NewEvent } from '#platform/events.ts';
import type { TestDatabase } from './database.ts';

export type Query = TestDatabase['query'];

type Columns = Readonly<Record<string, unknown>>;

const assigned = (columns: Columns, from: number) => Object.keys(columns).map((name, index) => `${name} = $${from + index + 1}`);

/** `null` finds what is null. */
const condition = (columns: Columns, from: number) =>
  Object.keys(columns)
    .map((name, index) => ` and ${name} is not distinct from $${from + index + 1}`)
    .join('');

/** Rows of a table (`accounts.invoice`), where each of these columns has this value: whole ones, or `columns` of them. */
export const rowsOf = <Row extends object = Record<string, unknown>>(
  query: Query,
  table: string,
  where: Columns = {},
  { columns = '*', orderBy = '' } = {},
): Promise<Row[]> =>
  query<Row>(`select ${columns} from ${table} where true${condition(where, 0)}${orderBy && ` order by ${orderBy}`}`, Object.values(where));

/** The first of them. */
export const rowOf = async <Row extends object = Record<string, unknown>>(
  query: Query,
  table: string,
  where: Columns = {},
  options?: { columns?: string; orderBy?: string },
): Promise<Row | undefined> => (await rowsOf<Row>(query, table, where, options))[0];

/** Sets columns behind the product's back, for a state that is hard to come to otherwise. */
export async function setRows(query: Query, table: string, columns: Columns, where: Columns = {}): Promise<void> {
  const values = [...Object.values(columns), ...Object.values(where)];
  await query(`update ${table} set ${assigned(columns, 0).join(', ')} where true${condition(where, Object.keys(columns).length)}`, values);
}

/** Takes rows away behind the product's back. */
export async function deleteRows(query: Query, table: string, where: Columns): Promise<void> {
  await query(`delete from ${table} where true${condition(where, 0)}`, Object.values(where));
}

/** What the log says of a subject, oldest first: all of it, or facts of one type (`order.paid`, `static_stock.%`). */
export const eventsOf = <Data extends object = Record<string, unknown>>(query: Query, subject: string, type = '%') =>
  query<{ type: string; data: Data }>('select type, data from platform.event where subject = $1 and type like $2 order by id', [
    subject,
    type,
  ]);

/** Appends a fact behind the product's back, as its seller does when it comes to pass. */
export async function tell<Type extends EventType>(
  query: Query,
  type: Type,
  accountId: string,
  subject: string,
  data: NewEvent<Type>['data'],
) {
  await query('insert into platform.event (type, at, account_id, subject, data) values ($1, now(), $2, $3, $4)', [
    type,
    accountId,
    subject,
    data,
  ]);
}

/** What was done on an account and by whom, oldest first: `SUPPORT order.remedied`. */
export const actsOf = async (query: Query, accountId: string): Promise<string[]> =>
  (await rowsOf<{ type: string; actor: string }>(query, 'accounts.activity', { account_id: accountId }, { orderBy: 'id' })).map(
    ({ type, actor }) => `${actor} ${type}`,
  );

/** The checkout of an order at its processor. */
export async function checkoutOf(query: Query, orderId: string): Promise<string> {
  const order = await rowOf<{ checkout_id: string | null }>(query, 'accounts.customer_order', { id: orderId });
  return order?.checkout_id ?? '';
}
