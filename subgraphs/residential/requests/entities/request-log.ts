// The tables of the request log: the choice of each plan, its entries, how much of each hour is kept, and the batches of nodes that were written down.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { LoggedRequest, RequestLogMode } from '../../../../edge/protocol/request-log.ts';
import { userOfSubject } from '../../../../edge/protocol/subject.ts';
import { type Cursor, type PlanLog, type RequestEntry, type RequestFilter, cursorOf } from '../domain/request-log.ts';

/** The channel on which live tails hear the id of each plan that has new entries. */
export const REQUEST_CHANNEL = 'egress_request_log';

/** Returns false when the batch is written down already. */
export async function noteBatch(em: EntityManager, edgeId: string, id: string, now: Date): Promise<boolean> {
  const text = 'insert into residential.request_log_batch (edge_id, id, at) values ($1, $2, $3) on conflict do nothing returning id';
  return (await runStatement(em, text, [edgeId, id, now.toISOString()])).length === 1;
}

export async function forgetBatches(em: EntityManager, before: Date): Promise<void> {
  await runStatement(em, 'delete from residential.request_log_batch where at < $1', [before.toISOString()]);
}

/** Since when each of these plans keeps a log; those that keep none are left out. Their choices are locked, in the order of the ids. */
export async function lockLogs(em: EntityManager, planIds: readonly string[]): Promise<Map<string, Date>> {
  const rows = await runStatement<{ plan_id: string; since: string | Date }>(
    em,
    `select plan_id, since from residential.request_log_choice where plan_id = any($1) and mode <> 'OFF' order by plan_id for update`,
    [planIds],
  );
  return new Map(rows.map(({ plan_id, since }) => [plan_id, new Date(since)]));
}

/** How much of this plan's requests is kept, which nobody else changes before this transaction ends. */
export async function lockChoice(em: EntityManager, planId: string): Promise<RequestLogMode> {
  const text = 'select mode from residential.request_log_choice where plan_id = $1 for update';
  return (await runStatement<{ mode: RequestLogMode }>(em, text, [planId]))[0]?.mode ?? 'OFF';
}

/** `restarts`: what was over before now is not to come. */
export async function saveChoice(
  em: EntityManager,
  { planId, mode, now, restarts }: { planId: string; mode: RequestLogMode; now: Date; restarts: boolean },
): Promise<void> {
  await runStatement(
    em,
    `insert into residential.request_log_choice as c (plan_id, mode, since) values ($1, $2, $3)
     on conflict (plan_id) do update set mode = excluded.mode, since = case when $4::boolean then excluded.since else c.since end`,
    [planId, mode, now.toISOString(), restarts],
  );
}

/** What is kept of a plan, of hours from `from` on. */
export async function planLog(em: EntityManager, planId: string, from: Date): Promise<PlanLog> {
  const [row] = await runStatement<{ mode: RequestLogMode; kept: number; missed: number }>(
    em,
    `select c.mode, coalesce(sum(h.entries), 0)::int as kept, least(coalesce(sum(h.missed), 0), 2147483647)::int as missed
     from residential.request_log_choice c left join residential.request_log_hour h on h.plan_id = c.plan_id and h.hour >= $2
     where c.plan_id = $1 group by c.plan_id`,
    [planId, from.toISOString()],
  );
  return { planId, mode: row?.mode ?? 'OFF', kept: row?.kept ?? 0, missed: row?.missed ?? 0 };
}

/** How many entries an hour of a plan has. The caller has locked the plan's choice. */
export async function entriesOfHour(em: EntityManager, planId: string, hour: Date): Promise<number> {
  const text = 'select entries from residential.request_log_hour where plan_id = $1 and hour = $2';
  return (await runStatement<{ entries: number }>(em, text, [planId, hour.toISOString()]))[0]?.entries ?? 0;
}

export async function addToHour(em: EntityManager, planId: string, hour: Date, { entries, missed }: { entries: number; missed: number }) {
  await runStatement(
    em,
    `insert into residential.request_log_hour as h (plan_id, hour, entries, missed) values ($1, $2, $3, least($4::bigint, 1000000000)::int)
     on conflict (plan_id, hour) do update set entries = h.entries + excluded.entries, missed = least(h.missed::bigint + excluded.missed, 1000000000)::int`,
    [planId, hour.toISOString(), entries, missed],
  );
}

export async function insertRequests(em: EntityManager, planId: string, requests: readonly LoggedRequest[]): Promise<void> {
  const column = <Value>(of: (request: LoggedRequest) => Value) => requests.map(of);
  await runStatement(
    em,
    `insert into residential.request_log
       (plan_id, at, user_id, session, host, port, status, up_bytes, down_bytes, duration_ms, country, state, city, error)
     select $1, r.* from unnest($2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::int[], $7::smallint[], $8::bigint[], $9::bigint[], $10::bigint[],
       $11::text[], $12::text[], $13::text[], $14::text[]) as r`,
    [
      planId,
      column(({ at }) => new Date(at).toISOString()),
      column(({ subject }) => userOfSubject(subject)),
      column(({ session }) => session ?? null),
      column(({ host }) => host),
      column(({ port }) => port),
      column(({ status }) => status),
      column(({ up }) => up),
      column(({ down }) => down),
      column(({ durationMs }) => durationMs),
      column(({ country }) => country),
      column(({ state }) => state ?? null),
      column(({ city }) => city ?? null),
      column(({ error }) => error ?? null),
    ],
  );
}

/** Tells live tails, when the transaction commits. */
export async function notifyOfRequests(em: EntityManager, planIds: readonly string[]): Promise<void> {
  await runStatement(em, 'select pg_notify($1, plan) from unnest($2::text[]) as plan', [REQUEST_CHANNEL, planIds]);
}

interface Row {
  seq: string;
  at: string | Date;
  user_id: string | null;
  session: string | null;
  host: string;
  port: number;
  status: number | null;
  up_bytes: string;
  down_bytes: string;
  duration_ms: string;
  country: string;
  state: string | null;
  city: string | null;
  error: string | null;
}

function toEntry(row: Row): RequestEntry {
  const at = new Date(row.at);
  const seq = BigInt(row.seq);
  return {
    id: cursorOf(at, seq),
    seq,
    at,
    userId: row.user_id,
    session: row.session,
    host: row.host,
    port: row.port,
    status: row.status,
    upBytes: BigInt(row.up_bytes),
    downBytes: BigInt(row.down_bytes),
    durationMs: Number(row.duration_ms),
    country: row.country,
    state: row.state,
    city: row.city,
    error: row.error,
  };
}

/** The newest first: those before `before`, and after the entry `later`, that fit the filter. */
export async function requestsOf(
  em: EntityManager,
  planId: string,
  filter: RequestFilter & { from: Date },
  { first, before, later }: { first: number; before?: Cursor | undefined; later?: bigint | undefined },
): Promise<RequestEntry[]> {
  const { from, to, host, status, error, onlyFailed, userId, session } = filter;
  const values: unknown[] = [planId, from.toISOString(), first];
  const given = (value: unknown, condition: (parameter: string) => string): string =>
    value === undefined || value === null ? '' : ` and ${condition(`$${values.push(value)}`)}`;
  const cursor =
    before && ` and (at, seq) < ($${values.push(before.at.toISOString())}::timestamptz, $${values.push(String(before.seq))}::bigint)`;
  const conditions = [
    cursor ?? '',
    given(later === undefined ? undefined : String(later), (parameter) => `seq > ${parameter}::bigint`),
    given(to?.toISOString(), (parameter) => `at < ${parameter}::timestamptz`),
    given(host?.toLowerCase(), (parameter) => `(host = ${parameter} or right(host, length(${parameter}) + 1) = '.' || ${parameter})`),
    given(status, (parameter) => `status = ${parameter}::int`),
    given(error, (parameter) => `error = ${parameter}`),
    onlyFailed ? ' and (error is not null or status >= 400)' : '',
    given(userId, (parameter) => `user_id = ${parameter}`),
    given(session, (parameter) => `session = ${parameter}`),
  ];
  const rows = await runStatement<Row>(
    em,
    `select seq, at, user_id, session, host, port, status, up_bytes, down_bytes, duration_ms, country, state, city, error
     from residential.request_log where plan_id = $1 and at >= $2::timestamptz${conditions.join('')} order by at desc, seq desc limit $3`,
    values,
  );
  return rows.map(toEntry);
}

/** The place of the latest entry of the plan; 0 where there is none. */
export async function latestOf(em: EntityManager, planId: string): Promise<bigint> {
  const text = 'select coalesce(max(seq), 0) as latest from residential.request_log where plan_id = $1';
  return BigInt((await runStatement<{ latest: string }>(em, text, [planId]))[0]?.latest ?? 0);
}

/** Of all plans that have an hour before `before`, or more entries than `most`. */
export async function overfullLogs(em: EntityManager, before: Date, most: number): Promise<string[]> {
  const rows = await runStatement<{ plan_id: string }>(
    em,
    'select plan_id from residential.request_log_hour group by plan_id having min(hour) < $1 or sum(entries) > $2',
    [before.toISOString(), most],
  );
  return rows.map(({ plan_id }) => plan_id);
}

/** The hours of a plan, the latest first. */
export async function hoursOf(em: EntityManager, planId: string): Promise<{ hour: Date; entries: number }[]> {
  const text = 'select hour, entries from residential.request_log_hour where plan_id = $1 order by hour desc';
  const rows = await runStatement<{ hour: string | Date; entries: number }>(em, text, [planId]);
  return rows.map(({ hour, entries }) => ({ hour: new Date(hour), entries }));
}

/** Deletes what of a plan was over before this hour; without one all of it. */
export async function deleteRequests(em: EntityManager, planId: string, before?: Date): Promise<void> {
  const until = before?.toISOString() ?? 'infinity';
  await runStatement(em, 'delete from residential.request_log where plan_id = $1 and at < $2::timestamptz', [planId, until]);
  await runStatement(em, 'delete from residential.request_log_hour where plan_id = $1 and hour < $2::timestamptz', [planId, until]);
}
