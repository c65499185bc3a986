// What the lines of all plans share on their way out: who may try, what may be reached, how many at once.
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
  /** Connections on all workers of this node. */
  counter?: ConnectionCounter | undefined;
}
