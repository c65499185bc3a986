// The state of sold addresses, which gateways ask for the status page.
import { COMPONENT_STATES } from '#platform/component-state.ts';
import { builder } from '../../builder.ts';
import { staticState } from '../services/static-state.ts';

const ComponentState = builder.enumType('ComponentState', { values: COMPONENT_STATES });

builder.queryField('staticState', (t) =>
  t.field({ type: ComponentState, inaccessible: true, authScopes: { system: true }, resolve: (_, __, ctx) => staticState(ctx) }),
);
