// What gateways report for the status page, and what they read for it. These fields are inaccessible from outside; the page also answers while this subgraph
// does not.
import { builder } from '../../builder.ts';
import type { StatusDay as StatusDayRow } from '../entities/status-day.ts';
import { incidentsOfHistory } from '../services/incidents.ts';
import { paymentsState, statusHistory, takeStatusMinutes } from '../services/status-page.ts';
import { ComponentState, Incident, StatusComponent } from './incident.ts';

const inaccessible = true;
const authScopes = { system: true } as const;

const StatusDay = builder.objectRef<StatusDayRow>('StatusDay').implement({
  inaccessible,
  fields: (t) => ({
    component: t.expose('component', { type: StatusComponent }),
    on: t.expose('on', { type: 'Date' }),
    measuredMinutes: t.exposeInt('measuredMinutes'),
    degradedMinutes: t.exposeInt('degradedMinutes'),
    downMinutes: t.exposeInt('downMinutes'),
  }),
});

const StatusMinuteInput = builder.inputType('StatusMinuteInput', {
  inaccessible,
  fields: (t) => ({
    component: t.field({ type: StatusComponent, required: true }),
    at: t.field({ type: 'DateTime', required: true }),
    state: t.field({ type: ComponentState, required: true }),
  }),
});

builder.queryFields((t) => ({
  paymentsState: t.field({ type: ComponentState, inaccessible, authScopes, resolve: (_, __, ctx) => paymentsState(ctx) }),
  statusHistory: t.field({ type: [StatusDay], inaccessible, authScopes, resolve: (_, __, ctx) => statusHistory(ctx) }),
  statusIncidents: t.field({ type: [Incident], inaccessible, authScopes, resolve: (_, __, ctx) => incidentsOfHistory(ctx) }),
}));

builder.mutationField('statusReport', (t) =>
  t.boolean({
    inaccessible,
    authScopes,
    args: { minutes: t.arg({ type: [StatusMinuteInput], required: true }) },
    async resolve(_, { minutes }, ctx) {
      await takeStatusMinutes(ctx, minutes);
      return true;
    },
  }),
);
