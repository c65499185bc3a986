// The desk's commands on what the status page shows: incidents, and planned maintenance.
import { COMPONENT_STATES } from '#platform/component-state.ts';
import { INCIDENT_STEPS, STATUS_COMPONENTS } from '../../../schema/status.ts';
import { INCIDENT_KINDS } from '../status/domain/incident.ts';
import { type IncidentWithUpdates, listIncidents, openIncident, updateIncident } from '../status/services/incidents.ts';
import { momentOf, table } from '#platform/desk-command.ts';
import { type Command, localTextOf, oneOf } from './desk.ts';

const row = ({ id, kind, components, impact, title, beginsAt, endsAt, updates }: IncidentWithUpdates) => [
  ...[id, kind, updates[0]?.step, impact, components.join(','), beginsAt.toISOString(), endsAt?.toISOString()],
  title.en,
];

export const INCIDENT_COMMANDS: Readonly<Record<string, Command>> = {
  incidents: {
    permission: 'incidents',
    words: 'open|over',
    about: 'incidents and maintenance of the status page',
    run: async (ctx, { of }) => table((await listIncidents(ctx, of !== 'over')).map(row)),
  },
  'incident-open': {
    permission: 'incidents',
    words: 'COMPONENT[,COMPONENT] --kind incident|maintenance --impact STATE --title "EN | DE" --terms "EN | DE" [--from AT --to AT]',
    about: 'tells of an incident now, or of maintenance from --from to --to',
    async run(ctx, { of, kind, impact, title, terms, from, to }) {
      const incident = await openIncident(ctx, {
        kind: oneOf(INCIDENT_KINDS, '--kind', kind),
        components: of.split(',').map((word) => oneOf(STATUS_COMPONENTS, 'COMPONENT', word)),
        impact: oneOf(COMPONENT_STATES, '--impact', impact),
        title: localTextOf('title', title),
        text: localTextOf('terms', terms),
        beginsAt: momentOf('from', from),
        endsAt: momentOf('to', to),
      });
      return `${incident.id} is on the status page.`;
    },
  },
  'incident-update': {
    permission: 'incidents',
    words: `INCIDENT-ID --kind ${INCIDENT_STEPS.join('|').toLowerCase()} --terms "EN | DE"`,
    about: 'says how it goes on; resolved ends it',
    async run(ctx, { of, kind, terms }) {
      const step = oneOf(INCIDENT_STEPS, '--kind', kind);
      await updateIncident(ctx, { id: of, step, text: localTextOf('terms', terms) });
      return `${of}: ${step}.`;
    },
  },
};
