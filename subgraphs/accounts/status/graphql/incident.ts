import { COMPONENT_STATES } from '#platform/component-state.ts';
import { builder } from '../../builder.ts';
import { INCIDENT_STEPS, STATUS_COMPONENTS } from '../../../../schema/status.ts';
import type { LocalText } from '../../identity/domain/local-text.ts';
import { INCIDENT_KINDS } from '../domain/incident.ts';
import type { IncidentUpdate as IncidentUpdateEntity } from '../entities/incident.ts';
import { type IncidentWithUpdates, listIncidents, openIncident, updateIncident } from '../services/incidents.ts';

export const ComponentState = builder.enumType('ComponentState', { values: COMPONENT_STATES });
export const StatusComponent = builder.enumType('StatusComponent', { values: STATUS_COMPONENTS });
const IncidentKind = builder.enumType('IncidentKind', { values: INCIDENT_KINDS });
const IncidentStep = builder.enumType('IncidentStep', { values: INCIDENT_STEPS });

const IncidentText = builder.objectRef<LocalText>('IncidentText').implement({
  fields: (t) => ({ en: t.exposeString('en'), de: t.string({ nullable: true, resolve: ({ de }) => de ?? null }) }),
});

const IncidentUpdate = builder.objectRef<IncidentUpdateEntity>('IncidentUpdate').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    step: t.expose('step', { type: IncidentStep }),
    text: t.field({ type: IncidentText, resolve: ({ said }) => said }),
    at: t.expose('at', { type: 'DateTime' }),
  }),
});

export const Incident = builder.objectRef<IncidentWithUpdates>('Incident').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: IncidentKind }),
    components: t.expose('components', { type: [StatusComponent] }),
    impact: t.expose('impact', { type: ComponentState }),
    title: t.field({ type: IncidentText, resolve: ({ title }) => title }),
    beginsAt: t.expose('beginsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    resolvedAt: t.expose('resolvedAt', { type: 'DateTime', nullable: true }),
    updates: t.field({ type: [IncidentUpdate], resolve: ({ updates }) => [...updates] }),
  }),
});

const IncidentTextInput = builder.inputType('IncidentTextInput', {
  fields: (t) => ({ en: t.string({ required: true }), de: t.string() }),
});

const SupportIncidentInput = builder.inputType('SupportIncidentInput', {
  fields: (t) => ({
    kind: t.field({ type: IncidentKind, required: true }),
    components: t.field({ type: [StatusComponent], required: true }),
    impact: t.field({ type: ComponentState, required: true }),
    title: t.field({ type: IncidentTextInput, required: true }),
    text: t.field({ type: IncidentTextInput, required: true }),
    beginsAt: t.field({ type: 'DateTime' }),
    endsAt: t.field({ type: 'DateTime' }),
  }),
});

builder.queryField('supportIncidents', (t) =>
  t.field({
    type: [Incident],
    authScopes: { staff: 'incidents' },
    args: { open: t.arg.boolean({ defaultValue: true }) },
    resolve: (_, { open }, ctx) => listIncidents(ctx, open ?? true),
  }),
);

builder.mutationFields((t) => ({
  supportIncidentOpen: t.field({
    type: Incident,
    authScopes: { staff: 'incidents' },
    args: { input: t.arg({ type: SupportIncidentInput, required: true }) },
    resolve: (_, { input }, ctx) => openIncident(ctx, input),
  }),
  supportIncidentUpdate: t.field({
    type: Incident,
    authScopes: { staff: 'incidents' },
    args: {
      id: t.arg.id({ required: true }),
      step: t.arg({ type: IncidentStep, required: true }),
      text: t.arg({ type: IncidentTextInput, required: true }),
    },
    resolve: (_, { id, step, text }, ctx) => updateIncident(ctx, { id, step, text }),
  }),
}));
