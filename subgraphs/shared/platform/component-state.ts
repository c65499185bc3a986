// What the status page says of a part of the platform. Each subgraph says it of its own part, when the gateway asks.
export const COMPONENT_STATES = ['OPERATIONAL', 'DEGRADED', 'DOWN'] as const;
export type ComponentState = (typeof COMPONENT_STATES)[number];

/** By how much of something fails: all or nearly all, some of it that customers notice, or less. */
export function stateOfShare(failing: number, of: number, { degraded, down }: { degraded: number; down: number }): ComponentState {
  if (of === 0 || failing / of < degraded) return 'OPERATIONAL';
  return failing / of < down ? 'DEGRADED' : 'DOWN';
}

export const worstOf = (states: readonly ComponentState[]): ComponentState =>
  COMPONENT_STATES[Math.max(0, ...states.map((state) => COMPONENT_STATES.indexOf(state)))] ?? 'OPERATIONAL';
