// Table accounts.staff_act.
import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';

export const StaffAct = defineEntity({
  name: 'StaffAct',
  tableName: 'staff_act',
  properties: (p) => ({
    id: p.string().primary(),
    at: p.datetime(),
    accountId: p.string(),
    act: p.string(),
    permission: p.string(),
    given: p.json<Record<string, string>>(),
    about: p.array(),
    address: p.string(),
    requestId: p.string(),
  }),
});
export type StaffAct = InferEntity<typeof StaffAct>;

/** The filter for acts; all conditions that are set must hold. */
export interface StaffActsWanted {
  by?: string | undefined;
  act?: string | undefined;
  permission?: string | undefined;
  about?: string | undefined;
  from?: Date | undefined;
  /** The end of the span, exclusive. */
  until?: Date | undefined;
}

const fits = ({ by, act, permission, about, from, until }: StaffActsWanted) => ({
  ...(by !== undefined && { accountId: by }),
  ...(act !== undefined && { act }),
  ...(permission !== undefined && { permission }),
  ...(about !== undefined && { about: { $contains: [about] } }),
  ...((from || until) && { at: { ...(from && { $gte: from }), ...(until && { $lt: until }) } }),
});

/** A page of acts, the latest first; `after` is the last id of the page before. */
export const latestStaffActs = (
  em: EntityManager,
  wanted: StaffActsWanted,
  limit: number,
  after: string | undefined,
): Promise<StaffAct[]> =>
  em.find(StaffAct, { ...fits(wanted), ...(after !== undefined && { id: { $lt: after } }) }, { orderBy: { id: 'desc' }, limit });

/** A page of acts, the oldest first; `after` is the last id of the page before. */
export const staffActsInTurn = (
  em: EntityManager,
  wanted: StaffActsWanted,
  limit: number,
  after: string | undefined,
): Promise<StaffAct[]> =>
  em.find(StaffAct, { ...fits(wanted), ...(after !== undefined && { id: { $gt: after } }) }, { orderBy: { id: 'asc' }, limit });

export async function insertStaffAct(em: EntityManager, act: StaffAct): Promise<void> {
  await em.insert(StaffAct, act);
}

export async function forgetStaffActs(em: EntityManager, until: Date): Promise<void> {
  await em.nativeDelete(StaffAct, { at: { $lte: until } });
}
