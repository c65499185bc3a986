// The components that the status page names, and how each is measured: the gateway asks the subgraph that knows its state, as the platform's own viewer.
import { type Ask, type Askable, askerOf } from '#platform/ask.ts';
import { SECOND } from '#platform/clock.ts';
import { COMPONENT_STATES, type ComponentState, worstOf } from '#platform/component-state.ts';
import { systemViewer } from '#platform/identity.ts';
import { inTime } from '#platform/in-time.ts';
import type { StatusComponent } from '../../schema/status.ts';
import { SUBGRAPHS, type SubgraphName } from '../../schema/subgraphs.ts';

export type States = Readonly<Record<StatusComponent, ComponentState>>;

/** For each subgraph: the field that is asked for, the component whose state it gives, and the state that is shown when the subgraph does not answer. */
const MEASURES = {
  accounts: { field: 'paymentsState', component: 'PAYMENTS', silent: 'DOWN' },
  residential: { field: 'residentialState', component: 'RESIDENTIAL_PROXIES', silent: 'DOWN' },
  static: { field: 'staticState', component: 'STATIC_PROXIES', silent: 'DOWN' },
  // Servers keep running when the compute subgraph does not answer.
  compute: { field: 'serversState', component: 'SERVERS', silent: 'DEGRADED' },
} as const satisfies Record<SubgraphName, { field: string; component: StatusComponent; silent: ComponentState }>;

/** The components whose state no subgraph knows, only a gateway: API and dashboard. */
type Door = Exclude<StatusComponent, (typeof MEASURES)[SubgraphName]['component']>;

/** A visitor would not wait any longer. */
const PATIENCE_MS = 3 * SECOND;
const VIEWER = systemViewer('status', 'status');

export type Asks = Readonly<Record<SubgraphName, Ask>>;

export const asksOf = (sources: Readonly<Record<SubgraphName, Askable>>): Asks =>
  Object.fromEntries(SUBGRAPHS.map((name) => [name, askerOf(sources[name])])) as unknown as Asks;

/** Asks a subgraph as the status page's viewer. Rejects when it does not answer in time. */
export const askFor = <Data>(ask: Ask, query: string, variables: Record<string, unknown> = {}): Promise<Data> =>
  inTime(ask<Data>(query, variables, VIEWER), PATIENCE_MS);

/** Undefined when the subgraph does not answer. */
async function stateOf(ask: Ask, field: string): Promise<ComponentState | undefined> {
  try {
    const { state } = await askFor<{ state: unknown }>(ask, `query statusOf { state: ${field} }`);
    return COMPONENT_STATES.find((known) => known === state);
  } catch {
    return undefined;
  }
}

/** The state of API and dashboard. Without accounts nobody can sign in; without another subgraph only its part is missing. */
const ofDoors = (measured: Readonly<Record<SubgraphName, ComponentState | undefined>>): ComponentState =>
  measured.accounts === undefined
    ? 'DOWN'
    : worstOf(SUBGRAPHS.map((name): ComponentState => (measured[name] === undefined ? 'DEGRADED' : 'OPERATIONAL')));

/** Never rejects: a subgraph that does not answer gets a state too. */
export async function measureStates(asks: Asks): Promise<States> {
  const states = await Promise.all(SUBGRAPHS.map((name) => stateOf(asks[name], MEASURES[name].field)));
  const measured = Object.fromEntries(SUBGRAPHS.map((name, at) => [name, states[at]])) as Record<SubgraphName, ComponentState | undefined>;
  const doors = ofDoors(measured);
  const parts = Object.fromEntries(SUBGRAPHS.map((name) => [MEASURES[name].component, measured[name] ?? MEASURES[name].silent]));
  return { ...({ API: doors, DASHBOARD: doors } satisfies Record<Door, ComponentState>), ...parts } as States;
}
