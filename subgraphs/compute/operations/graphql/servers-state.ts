// The state of work on servers, which gateways ask for the status page.
import { COMPONENT_STATES } from '#platform/component-state.ts';
import { builder } from '../../builder.ts';
import { serversState } from '../services/servers-state.ts';

const ComponentState = builder.enumType('ComponentState', { values: COMPONENT_STATES });

builder.queryField('serversState', (t) =>
  t.field({ type: ComponentState, inaccessible: true, authScopes: { system: true }, resolve: (_, __, ctx) => serversState(ctx) }),
);
