// What all lines share to reach targets: the count of wrong log-ins, the guards, the resolver, the dialler and the limits.
import type { Attempts } from './attempts.ts';
import type { ConnectionCounter } from './connection-counter.ts';
import type { Dialler } from './dial.ts';
import type { EdgeLimits } from './limits.ts';
import type { Resolver } from './resolver.ts';
import type { TargetGuards } from './target-guard.ts';

export interface WayOut {
  guards: TargetGuards;
  resolver: Resolver;
  dial: Dialler;
  attempts: Attempts;
  limits: EdgeLimits;
  /** Counts connections over all workers of this node. */
  counter?: ConnectionCounter | undefined;
}
