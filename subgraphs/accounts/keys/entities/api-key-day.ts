import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export const ApiKeyDay = defineEntity({
  name: 'ApiKeyDay',
  tableName: 'api_key_day',
  properties: (p) => ({
    keyId: p.string().primary(),
    day: p.string().primary(),
    requests: p.bigint('number'),
  }),
});
export type ApiKeyDay = InferEntity<typeof ApiKeyDay>;

/** The days of these keys from a day on, `YYYY-MM-DD`. */
export const daysOfKeys = (em: EntityManager, keyIds: readonly string[], from: string): Promise<ApiKeyDay[]> =>
  em.find(ApiKeyDay, { keyId: { $in: [...keyIds] }, day: { $gte: from } });

/** Adds requests to a day, in the order of the keys' ids, so that two gateways cannot deadlock. A key that no longer exists is skipped. */
export async function addRequests(em: EntityManager, day: string, uses: readonly { keyId: string; requests: number }[]): Promise<void> {
  const sorted = uses.toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1));
  await sql`
    insert into api_key_day (key_id, day, requests)
    select used.id, ${day}::date, sum(used.requests)
    from unnest(${sorted.map(({ keyId }) => keyId)}::text[], ${sorted.map(({ requests }) => requests)}::bigint[]) as used (id, requests)
    join api_key on api_key.id = used.id
    group by used.id order by used.id
    on conflict (key_id, day) do update set requests = api_key_day.requests + excluded.requests`.execute(em.getKysely());
}
