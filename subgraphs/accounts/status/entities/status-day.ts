// Table accounts.status_day: for each day and each component of the platform, one bit per minute.
import { type EntityManager, runStatement } from '#platform/database.ts';
import { toDay } from '#platform/clock.ts';
import type { ComponentState } from '#platform/component-state.ts';
import type { StatusComponent } from '../../../../schema/status.ts';

export interface StatusMinute {
  component: StatusComponent;
  /** Any moment of the minute. */
  at: Date;
  state: ComponentState;
}

export interface StatusDay {
  component: StatusComponent;
  on: string;
  measuredMinutes: number;
  degradedMinutes: number;
  downMinutes: number;
}

const NOTHING = `repeat('0', 1440)::bit(1440)`;

/** Adds what a gateway measured. A minute that was reported before keeps the worse of its states. */
export async function addStatusMinutes(em: EntityManager, minutes: readonly StatusMinute[]): Promise<void> {
  await runStatement(
    em,
    `insert into accounts.status_day as known (component, on_day, measured, degraded, down)
     select component, on_day, bit_or(one), bit_or(case state when 'DEGRADED' then one else ${NOTHING} end),
            bit_or(case state when 'DOWN' then one else ${NOTHING} end)
       from (select component, state, (at at time zone 'UTC')::date as on_day,
                    set_bit(${NOTHING}, (extract(epoch from at)::bigint % 86400 / 60)::int, 1) as one
               from unnest($1::text[], $2::timestamptz[], $3::text[]) as given (component, at, state)) as each
      group by component, on_day
     on conflict (component, on_day) do update
       set measured = known.measured | excluded.measured, degraded = known.degraded | excluded.degraded, down = known.down | excluded.down`,
    [minutes.map(({ component }) => component), minutes.map(({ at }) => at.toISOString()), minutes.map(({ state }) => state)],
  );
}

/** The days since then. A minute that one gateway reported as down and another as degraded counts as down. */
export async function statusDays(em: EntityManager, since: Date): Promise<StatusDay[]> {
  const rows = await runStatement<{ component: StatusComponent; on: string; measured: string; degraded: string; down: string }>(
    em,
    `select component, to_char(on_day, 'YYYY-MM-DD') as on, bit_count(measured) as measured, bit_count(degraded & ~down) as degraded, bit_count(down) as down
       from accounts.status_day where on_day >= $1::date order by on_day, component`,
    [toDay(since)],
  );
  return rows.map(({ component, on, measured, degraded, down }) => ({
    component,
    on,
    measuredMinutes: Number(measured),
    degradedMinutes: Number(degraded),
    downMinutes: Number(down),
  }));
}

export async function deleteStatusDays(em: EntityManager, before: Date): Promise<void> {
  await runStatement(em, 'delete from accounts.status_day where on_day < $1::date', [toDay(before)]);
}
