// The tables as tests look at them where no API shows the same: SQL on them stands here, in the kit's `*-rows.ts` by noun and in the worlds' own
// `tables.ts`, not in tests.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { EventType, NewEvent } from '#platform/events.ts';
import type { TestDatabase } from './database.ts';

export type Query = TestDatabase['query'];

/** As a room asks: with its role, and in the transaction that `em` is in, if any. */
export const queryOf =
  (em: EntityManager): Query =>
  (sql, values) =>
    runStatement(em, sql, values);

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

/** Adds a row behind the product's back. */
export async function addRow(query: Query, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns);
  await query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(columns),
  );
}

/** Sets columns behind the product's back, for a state that is hard to come to otherwise. */
export async function setRows(query: Query, table: string, columns: Columns, where: Columns = {}): Promise<void> {
  const values = [...Object.values(columns), ...Object.values(where)];
  await query(`update ${table} set ${assigned(columns, 0).join(', ')} where true${condition(where, Object.keys(columns).length)}`, values);
}

/** Takes rows away behind the product's back: all of them, unless it says which. */
export async function deleteRows(query: Query, table: string, where: Columns = {}): Promise<void> {
  await query(`delete from ${table} where true${condition(where, 0)}`, Object.values(where));
}

/** Tries to empty a table. */
export async function truncate(query: Query, table: string): Promise<void> {
  await query(`truncate ${table}`);
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

export interface Act {
  type: string;
  actor: string;
  actor_id: string;
  address: string;
  data: Record<string, unknown>;
}

/** What was done on an account, oldest first: all of it, or acts of one type (`credit.%`). */
export const activityOf = (query: Query, accountId: string, type = '%'): Promise<Act[]> =>
  query<Act>('select type, actor, actor_id, address, data from accounts.activity where account_id = $1 and type like $2 order by id', [
    accountId,
    type,
  ]);

/** The same with who did it: `SUPPORT order.remedied`. */
export const actsOf = async (query: Query, accountId: string): Promise<string[]> =>
  (await activityOf(query, accountId)).map(({ type, actor }) => `${actor} ${type}`);

/** The checkout of an order at its processor. */
export async function checkoutOf(query: Query, orderId: string): Promise<string> {
  const order = await rowOf<{ checkout_id: string | null }>(query, 'accounts.customer_order', { id: orderId });
  return order?.checkout_id ?? '';
}

const OWN = "in ('accounts', 'residential', 'static', 'compute', 'platform')";

/** Table -> the columns of its primary key, or else of its unique one, in their order; partitions stand under their parent. */
export async function primaryKeys(query: Query): Promise<Map<string, string[]>> {
  const rows = await query<{ name: string; columns: string[] }>(`
    select schema.nspname || '.' || relname as name, coalesce((select array_agg(attname::text order by place)
      from pg_index, unnest(indkey) with ordinality as part (number, place) join pg_attribute on attrelid = pg_class.oid and attnum = number
      where indexrelid = (select indexrelid from pg_index where indrelid = pg_class.oid and indisunique order by indisprimary desc limit 1)), '{}') as columns
    from pg_class join pg_namespace as schema on schema.oid = relnamespace
    where nspname ${OWN} and relkind in ('r', 'p') and not relispartition`);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

export const tableColumns = async (query: Query, table: string): Promise<string[]> =>
  (
    await query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped`,
    )
  ).map(({ name }) => name);
