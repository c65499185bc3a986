// The log of events as tests read it, and as a process or a server leaves it that is no longer there.
import { type Query, addRow, rowsOf } from './tables.ts';

export const eventRows = (query: Query) => ({
  /** The number of the last event; 0 of none. */
  async lastId(): Promise<bigint> {
    const [last] = await query<{ id: string }>('select coalesce(max(id), 0) as id from platform.event');
    return BigInt(last?.id ?? 0);
  },
  /** The types of what was appended about a subject, in their order. */
  typesOf: async (subject: string): Promise<string[]> =>
    (await rowsOf<{ type: string }>(query, 'platform.event', { subject }, { columns: 'type', orderBy: 'id' })).map(({ type }) => type),
  /** Events that have no number yet. */
  unnumbered: () => rowsOf(query, 'platform.event_pending'),
  /** Whether a reader has not come to all of it, or has set something aside that is due at this moment. */
  async anyUnread(now: Date): Promise<boolean> {
    const [found] = await query<{ some: boolean }>(
      `select exists (select from platform.event_pending)
        or exists (select from platform.cursor where position < (select max(position) from platform.event_order))
        or exists (select from platform.dead_letter where next_try_at <= $1::timestamptz) as some`,
      [now],
    );
    return found?.some ?? false;
  },
  /** As a process does that dies right after its commit: nobody gives the event a number. */
  appendAndDie: (subject: string) => addRow(query, 'platform.event', { type: 'session.ended', at: 'now', subject }),
  /** As if a server had written all of it that has given out so many transaction ids more than this one. */
  async age(ids = 1_000_000_000): Promise<void> {
    await query('alter table platform.event disable trigger user');
    await query(`update platform.event set tx = (tx::text::bigint + ${ids})::text::xid8`);
    await query('alter table platform.event enable trigger user');
  },
});
