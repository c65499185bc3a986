// Tables accounts.incident and accounts.incident_update.
import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import type { ComponentState } from '#platform/component-state.ts';
import type { EntityManager } from '#platform/database.ts';
import type { IncidentStep, StatusComponent } from '../../../../schema/status.ts';
import type { LocalText } from '../../identity/domain/local-text.ts';
import type { IncidentKind } from '../domain/incident.ts';

export const Incident = defineEntity({
  name: 'Incident',
  tableName: 'incident',
  properties: (p) => ({
    id: p.string().primary(),
    kind: p.string().$type<IncidentKind>(),
    components: p.array().$type<StatusComponent[]>(),
    impact: p.string().$type<ComponentState>(),
    title: p.json<LocalText>(),
    beginsAt: p.datetime(),
    endsAt: p.datetime().nullable(),
    resolvedAt: p.datetime().nullable(),
  }),
});
export type Incident = InferEntity<typeof Incident>;

export const IncidentUpdate = defineEntity({
  name: 'IncidentUpdate',
  tableName: 'incident_update',
  properties: (p) => ({
    id: p.string().primary(),
    incidentId: p.string(),
    step: p.string().$type<IncidentStep>(),
    said: p.json<LocalText>(),
    at: p.datetime(),
    byAccount: p.string(),
  }),
});
export type IncidentUpdate = InferEntity<typeof IncidentUpdate>;

const MAX_LISTED = 200;

/** With `open`: those that are not resolved; otherwise the resolved ones. The latest first. */
export const incidents = (em: EntityManager, open: boolean): Promise<Incident[]> =>
  em.find(Incident, { resolvedAt: open ? null : { $ne: null } }, { orderBy: { id: 'desc' }, limit: MAX_LISTED });

/** For the status page: incidents that are not resolved, and those that began after `since`. The latest first. */
export const incidentsSince = (em: EntityManager, since: Date): Promise<Incident[]> =>
  em.find(Incident, { $or: [{ resolvedAt: null }, { beginsAt: { $gte: since } }] }, { orderBy: { beginsAt: 'desc' }, limit: MAX_LISTED });

/** The updates of each incident, the latest first. */
export async function updatesOf(em: EntityManager, ids: readonly string[]): Promise<Map<string, IncidentUpdate[]>> {
  const found = await em.find(IncidentUpdate, { incidentId: { $in: [...ids] } }, { orderBy: { id: 'desc' } });
  return Map.groupBy(found, ({ incidentId }) => incidentId);
}

/** Locks an incident, so that two members of staff write one after the other. */
export const lockIncident = (em: EntityManager, id: string): Promise<Incident | null> =>
  em.findOne(Incident, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

export async function insertIncident(em: EntityManager, incident: Incident): Promise<void> {
  await em.insert(Incident, incident);
}

export async function insertIncidentUpdate(em: EntityManager, update: IncidentUpdate): Promise<void> {
  await em.insert(IncidentUpdate, update);
}
