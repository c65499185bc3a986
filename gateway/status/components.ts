// The parts of the platform as the status page names them, and how each is measured: by asking the subgraph that knows, as the platform itself.
import { type Ask, type Askable, askerOf } from '#platform/ask.ts';
import { SECOND } from '#platform/clock.ts';
import { COMPONENT_STATES, type ComponentState, worstOf } from '#platform/component-state.ts';
import { systemViewer } from '#platform/identity.ts';
import { inTime } from '#platform/in-time.ts';
import { SUBGRAPHS, type SubgraphName } from '../../schema/subgraphs.ts';

/** In the order in which the page shows them. */
export const COMPONENTS = ['API', 'DASHBOARD', 'RESIDENTIAL_PROXIES', 'STATIC_PROXIES', 'SERVERS', 'PAYMENTS'] as const;
export type Component = (typeof COMPONENTS)[number];

export type States = Readonly<Record<Component, ComponentState>>;

/** What each subgraph is asked. */
const FIELDS: Readonly<Record<SubgraphName, string>> = {
  accounts: 'paymentsState',
  residential: 'residentialState',
  static: 'staticState',
  compute: 'serversState',
};

/** A person would have left by then. */
const PATIENCE_MS = 3 * SECOND;
const VIEWER = systemViewer('status', 'status');

export type Asks = Readonly<Record<SubgraphName, Ask>>;

export const asksOf = (sources: Readonly<Record<SubgraphName, Askable>>): Asks =>
  Object.fromEntries(SUBGRAPHS.map((name) => [name, askerOf(sources[name])])) as unknown as Asks;

/** Asks a subgraph as the status page. Rejects when it does not answer in time. */
export const askFor = <Data>(ask: Ask, query: string, variables: Record<string, unknown> = {}): Promise<Data> =>
  inTime(ask<Data>(query, variables, VIEWER), PATIENCE_MS);

/** Undefined: it does not answer. */
async function stateOf(ask: Ask, field: string): Promise<ComponentState | undefined> {
  try {
    const { state } = await askFor<{ state: unknown }>(ask, `query statusOf { state: ${field} }`);
    return COMPONENT_STATES.find((known) => known === state);
  } catch {
    return undefined;
  }
}

/** Never rejects: what cannot be asked is a state. */
export async function measureStates(asks: Asks): Promise<States> {
  const measured = await Promise.all(SUBGRAPHS.map(async (name) => [name, await stateOf(asks[name], FIELDS[name])] as const));
  const {
    accounts,
    residential,
    static: statics,
    compute,
  } = Object.fromEntries(measured) as Record<SubgraphName, ComponentState | undefined>;
  // Without accounts nobody is let in; of another subgraph its part is missing.
  const others = [residential, statics, compute].map((state): ComponentState => (state === undefined ? 'DEGRADED' : 'OPERATIONAL'));
  const doors = accounts === undefined ? 'DOWN' : worstOf(others);
  return {
    API: doors,
    DASHBOARD: doors,
    RESIDENTIAL_PROXIES: residential ?? 'DOWN',
    STATIC_PROXIES: statics ?? 'DOWN',
    // They run without us.
    SERVERS: compute ?? 'DEGRADED',
    PAYMENTS: accounts ?? 'DOWN',
  };
}
