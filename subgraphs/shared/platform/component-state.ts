// The state of a part of the platform on the status page. Each subgraph reports its own parts when the gateway asks.
export const COMPONENT_STATES = ['OPERATIONAL', 'DEGRADED', 'DOWN'] as const;
export type ComponentState = (typeof COMPONENT_STATES)[number];

/** The state by the share that fails: from `down` on DOWN, from `degraded` on DEGRADED, else OPERATIONAL. */
export function stateOfShare(failing: number, of: number, { degraded, down }: { degraded: number; down: number }): ComponentState {
  if (of === 0 || failing / of < degraded) return 'OPERATIONAL';
  return failing / of < down ? 'DEGRADED' : 'DOWN';
}

export const worstOf = (states: readonly ComponentState[]): ComponentState =>
  COMPONENT_STATES[Math.max(0, ...states.map((state) => COMPONENT_STATES.indexOf(state)))] ?? 'OPERATIONAL';
