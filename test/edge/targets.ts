// A node for each test of the file that opens it, with the targets of that test, which end with it.
import { afterEach, beforeEach } from 'vitest';
import { PUBLIC, type Target, type World, startWorld } from './world.ts';

export let world: World;
let closing: (() => Promise<void>)[] = [];

/** For the file that calls it. */
export function withTargets(): void {
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(async () => {
    await world.close();
    for (const close of closing.splice(0)) await close();
  });
}

export const keep = <T extends Target>(target: T): T => {
  closing.push(() => target.close());
  return target;
};

/** The name and port that lead to it. */
export const at = (target: Target, host = 'target.example'): string => {
  world.route(host, [PUBLIC], target.endpoint);
  return `${host}:${target.endpoint.port}`;
};
