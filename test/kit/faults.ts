// Sets faults of the sandbox, and undoes them when the test ends, passed or failed.
import { onTestFinished } from 'vitest';

/** Sets faults until the test has finished, or until the returned function is called. */
export function setFaults<Faults extends object>(faults: Faults, values: Partial<Faults>): () => void {
  const before = { ...faults };
  const undo = () => void Object.assign(faults, before);
  onTestFinished(undo);
  Object.assign(faults, values);
  return undo;
}

/** Makes the next calls fail, one for each of `planned`. Faults that are left over are dropped when the test ends. */
export function planFaults<Planned>(next: Planned[], ...planned: Planned[]): void {
  next.push(...planned);
  onTestFinished(() => {
    next.length = 0;
  });
}
