import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

/** Who did it. VISITOR: somebody who is not signed in; PLATFORM: the platform by itself. */
export const ACTIVITY_ACTORS = ['OWNER', 'SUPPORT', 'API_KEY', 'VISITOR', 'PLATFORM'] as const;
export type ActivityActor = (typeof ACTIVITY_ACTORS)[number];

export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  properties: (p) => ({
    id: p.string().primary(),
    accountId: p.string(),
    at: p.datetime(),
    type: p.string(),
    actor: p.string().$type<ActivityActor>(),
    actorId: p.string().nullable(),
    address: p.string().nullable(),
    userAgent: p.string().nullable(),
    subject: p.string(),
    data: p.json<Record<string, unknown>>(),
  }),
});
export type Activity = InferEntity<typeof Activity>;

/** A page of an account's activity, newest first; `after` is the last id of the page before. */
export const activityOfAccount = (em: EntityManager, accountId: string, limit: number, after: string | undefined): Promise<Activity[]> =>
  em.find(Activity, { accountId, ...(after !== undefined && { id: { $lt: after } }) }, { orderBy: { id: 'desc' }, limit });

export async function insertActivity(em: EntityManager, activity: Activity): Promise<void> {
  await em.insert(Activity, activity);
}

/** Counts the log-ins of an account; with `userAgent` only those with that browser. */
export const countLogIns = (em: EntityManager, accountId: string, userAgent?: string): Promise<number> =>
  em.count(Activity, { accountId, type: 'session.started', ...(userAgent !== undefined && { userAgent }) });

export async function forgetActivity(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(Activity, { at: { $lte: until } });
}
