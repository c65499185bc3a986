// Faults of the sandbox that last for the test that sets them, however it ends.
import { onTestFinished } from 'vitest';

/** Sets faults until the test has finished, or until what is returned is called. */
export function setFaults<Faults extends object>(faults: Faults, values: Partial<Faults>): () => void {
  const before = { ...faults };
  const undo = () => void Object.assign(faults, before);
  onTestFinished(undo);
  Object.assign(faults, values);
  return undo;
}

/** Lets the next calls go wrong; a fault that no call has met is gone with the test. */
export function planFaults<Planned>(next: Planned[], ...planned: Planned[]): void {
  next.push(...planned);
  onTestFinished(() => {
    next.length = 0;
  });
}
