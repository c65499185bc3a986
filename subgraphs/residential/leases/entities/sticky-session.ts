// The table residential.sticky_session: the exit of each sticky session, the same for every proxy node.
import { type EntityManager, runStatement } from '#platform/database.ts';

export interface StickySessionRow {
  exitId: string;
  life: number;
  endsAt: Date;
}

export interface NewStickySession extends StickySessionRow {
  key: string;
  /** Is taken instead of `exitId` when the session before had that one. */
  spareId: string | null;
  /** The key of the session that this one follows. */
  after: string | null;
  /** The exit that the node has lost. A session moves only if the stored one still has this exit; it keeps its end. */
  lost: string | null;
}

/**
 * The first claim of a key decides its exit until the session ends. Answers in the order of `sessions`, whose keys are distinct. Keys are written in ascending
 * order, so that two nodes cannot deadlock.
 */
export async function claimSessions(em: EntityManager, sessions: readonly NewStickySession[], now: Date): Promise<StickySessionRow[]> {
  const text = `
    with claim as (
      select c.*, coalesce(own.exit_id, followed.exit_id) as exit_before
      from unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[], $5::text[], $7::text[], $8::text[])
        as c(key, exit_id, life, ends_at, lost, spare_id, after)
      left join residential.sticky_session own on own.key = c.key
      left join residential.sticky_session followed on followed.key = c.after
    ), written as (
      insert into residential.sticky_session as s (key, exit_id, life, ends_at)
      select key, case when exit_id = exit_before and lost is null then coalesce(spare_id, exit_id) else exit_id end, life, ends_at
      from claim order by key
      on conflict (key) do update set
        exit_id = case when s.ends_at <= $6 or s.exit_id = (select lost from claim where claim.key = s.key) then excluded.exit_id else s.exit_id end,
        life = case when s.ends_at <= $6 then greatest(excluded.life, s.life + 1) else greatest(excluded.life, s.life) end,
        ends_at = case when s.ends_at <= $6 then excluded.ends_at else s.ends_at end
      returning key, exit_id, life, ends_at
    ) select * from written`;
  const rows = await runStatement<{ key: string; exit_id: string; life: number; ends_at: Date | string }>(em, text, [
    sessions.map(({ key }) => key),
    sessions.map(({ exitId }) => exitId),
    sessions.map(({ life }) => life),
    sessions.map(({ endsAt }) => endsAt.toISOString()),
    sessions.map(({ lost }) => lost),
    now.toISOString(),
    sessions.map(({ spareId }) => spareId),
    sessions.map(({ after }) => after),
  ]);
  const found = new Map(rows.map((row) => [row.key, { exitId: row.exit_id, life: row.life, endsAt: new Date(row.ends_at) }]));
  return sessions.map(({ key }) => found.get(key) as StickySessionRow);
}

/**
 * Ends the sessions of a plan and its proxy users that have this number, in whatever place and turn. The next claim of each begins at another exit. Returns how
 * many there were.
 */
export async function endSessions(
  em: EntityManager,
  { planId, session, now }: { planId: string; session: string; now: Date },
): Promise<number> {
  // The order of claims, so that the two cannot deadlock. A minute back, for the claim of a process whose clock is late.
  const rows = await runStatement(
    em,
    `update residential.sticky_session set ends_at = $3::timestamptz - interval '1 minute' where key in (
       select key from residential.sticky_session where split_part(key, '/', 1) = $1 and ends_at > $3
         and substring(key from '([^/~]+)(?:~[0-9]+)?$') = $2 order by key for update) returning key`,
    [planId, session, now.toISOString()],
  );
  return rows.length;
}

/** Deletes at most `limit` sessions that ended before `moment`. Returns how many. */
export async function forgetSessions(em: EntityManager, moment: Date, limit: number): Promise<number> {
  const rows = await runStatement(
    em,
    `delete from residential.sticky_session where key in
         (select key from residential.sticky_session where ends_at < $1 order by ends_at limit $2 for update skip locked) returning key`,
    [moment.toISOString(), limit],
  );
  return rows.length;
}
