// The tables as tests look at them where no API shows the same: SQL on them stands here and in the worlds' own `tables.ts`, not in tests.
import type { TestDatabase } from './database.ts';

export type Query = TestDatabase['query'];

type Columns = Readonly<Record<string, unknown>>;

const assigned = (columns: Columns, from: number) => Object.keys(columns).map((name, index) => `${name} = $${from + index + 1}`);

/** `null` finds what is null. */
const condition = (columns: Columns, from: number) =>
  Object.keys(columns)
    .map((name, index) => ` and ${name} is not distinct from $${from + index + 1}`)
    .join('');

/** Whole rows of a table (`accounts.invoice`), where each of these columns has this value. */
export const rowsOf = <Row extends object = Record<string, unknown>>(
  query: Query,
  table: string,
  where: Columns = {},
  orderBy?: string,
): Promise<Row[]> =>
  query<Row>(`select * from ${table} where true${condition(where, 0)}${orderBy ? ` order by ${orderBy}` : ''}`, Object.values(where));

/** The first of them. */
export const rowOf = async <Row extends object = Record<string, unknown>>(
  query: Query,
  table: string,
  where: Columns = {},
): Promise<Row | undefined> => (await rowsOf<Row>(query, table, where))[0];

/** Sets columns behind the product's back, for a state that is hard to come to otherwise. */
export async function setRows(query: Query, table: string, columns: Columns, where: Columns = {}): Promise<void> {
  const values = [...Object.values(columns), ...Object.values(where)];
  await query(`update ${table} set ${assigned(columns, 0).join(', ')} where true${condition(where, Object.keys(columns).length)}`, values);
}

/** What the log says of a subject, oldest first: all of it, or facts of one type (`order.paid`, `static_stock.%`). */
export const eventsOf = <Data extends object = Record<string, unknown>>(query: Query, subject: string, type = '%') =>
  query<{ type: string; data: Data }>('select type, data from platform.event where subject = $1 and type like $2 order by id', [
    subject,
    type,
  ]);
