// The state of the proxy network, which gateways ask for the status page.
import { COMPONENT_STATES } from '#platform/component-state.ts';
import { builder } from '../../builder.ts';
import { networkState } from '../domain/network-state.ts';
import { edgeRows } from '../entities/edge-desk.ts';

const ComponentState = builder.enumType('ComponentState', { values: COMPONENT_STATES });

builder.queryField('residentialState', (t) =>
  t.field({
    type: ComponentState,
    inaccessible: true,
    authScopes: { system: true },
    resolve: async (_, __, { em, clock }) => networkState(await edgeRows(em, clock.now()), clock.now()),
  }),
);
