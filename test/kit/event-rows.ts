// Reads the event log for tests, and brings it into the state after a crash or after a change of the database server.
import { type Query, addRow, rowsOf } from './tables.ts';

export const eventRows = (query: Query) => ({
  /** The id of the last event; 0 if there is none. */
  async lastId(): Promise<bigint> {
    const [last] = await query<{ id: string }>('select coalesce(max(id), 0) as id from platform.event');
    return BigInt(last?.id ?? 0);
  },
  /** The types of the events about a subject, oldest first. */
  typesOf: async (subject: string): Promise<string[]> =>
    (await rowsOf<{ type: string }>(query, 'platform.event', { subject }, { columns: 'type', orderBy: 'id' })).map(({ type }) => type),
  /** Events that have no position in the log's order yet. */
  unnumbered: () => rowsOf(query, 'platform.event_pending'),
  /** Whether some reader has not read the whole log, or has a dead letter whose next try is due at `now`. */
  async anyUnread(now: Date): Promise<boolean> {
    const [found] = await query<{ some: boolean }>(
      `select exists (select from platform.event_pending)
        or exists (select from platform.cursor where position < (select max(position) from platform.event_order))
        or exists (select from platform.dead_letter where next_try_at <= $1::timestamptz) as some`,
      [now],
    );
    return found?.some ?? false;
  },
  /** Appends an event as a process does that crashes right after its commit: the event gets no position. */
  appendAndDie: (subject: string, at: Date | 'now' = 'now') => addRow(query, 'platform.event', { type: 'session.ended', at, subject }),
  /** Rewrites the log as if a database server with transaction ids higher by `ids` had written it. */
  async age(ids = 1_000_000_000): Promise<void> {
    await query('alter table platform.event disable trigger user');
    await query(`update platform.event set tx = (tx::text::bigint + ${ids})::text::xid8`);
    await query('alter table platform.event enable trigger user');
  },
});
