// A node and targets for each test of a file; they end with the test.
import { afterEach, beforeEach } from 'vitest';
import { PUBLIC, type Target, type World, startWorld } from './world.ts';

export let world: World;
let closing: (() => Promise<void>)[] = [];

/** Call it once in a test file. */
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

/** The host and port for a line to ask for. */
export const at = (target: Target, host = 'target.example'): string => {
  world.route(host, [PUBLIC], target.endpoint);
  return `${host}:${target.endpoint.port}`;
};
