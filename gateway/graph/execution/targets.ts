// Finds the objects of an answer that a fetch adds to, and their places.
import type { ResponsePath } from '@apollo/query-planner';
import { type Fields, isFields, readerOf, setField } from './fields.ts';

type Place = (string | number)[];

/** Objects of an answer, and where each was found. */
export class Found {
  readonly objects: Fields[] = [];
  readonly #holders: (Fields | unknown[])[] = [];
  readonly #slots: (string | number)[] = [];

  add(object: Fields, holder: Fields | unknown[], slot: string | number): void {
    this.objects.push(object);
    this.#holders.push(holder);
    this.#slots.push(slot);
  }

  /** Puts another object in the place of the one at this index. */
  replace(index: number, by: Fields): void {
    const [holder, slot] = [this.#holders[index], this.#slots[index]];
    if (Array.isArray(holder)) holder[slot as number] = by;
    else if (holder) setField(holder, slot as string, by);
  }
}

export interface Targets {
  /** The objects at the path, each once, in order. Null and missing objects are left out. `shared`: lists and objects that stand at several places. */
  in(data: Fields, shared: ReadonlySet<unknown>): Found;
  /** All places of some of these objects. A function of its own, since only errors need places. */
  placesOf(objects: ReadonlySet<Fields>, data: Fields): Place[];
}

/** `path`: of a plan, where `@` stands for every element of a list. */
export function compileTargets(path: ResponsePath): Targets {
  const names = path.map(String);
  const readers = names.map(readerOf);
  const isList = names.map((name) => name === '@');
  const depthOf = (depth: number) => (isList[depth] ? depth + 1 : depth);

  return {
    in(data, shared) {
      const found = new Found();
      const seen = shared.size ? new Set<unknown>() : undefined;
      const walk = (value: unknown, depth: number, holder: Fields | unknown[], slot: string | number): void => {
        if (typeof value !== 'object' || value === null) return;
        if (seen && shared.has(value)) {
          if (seen.has(value)) return;
          seen.add(value);
        }
        if (Array.isArray(value)) {
          const next = depthOf(depth);
          for (let index = 0; index < value.length; index++) walk(value[index], next, value, index);
        } else if (depth === names.length) found.add(value as Fields, holder, slot);
        else walk(readers[depth]?.(value as Fields), depth + 1, value as Fields, names[depth] as string);
      };
      walk(data, 0, [], 0);
      return found;
    },
    placesOf(objects, data) {
      const places: Place[] = [];
      const walk = (value: unknown, depth: number, place: Place): void => {
        if (Array.isArray(value)) value.forEach((element, index) => walk(element, depthOf(depth), [...place, index]));
        else if (!isFields(value)) return;
        else if (depth < names.length) walk(readers[depth]?.(value), depth + 1, [...place, names[depth] as string]);
        else if (objects.has(value)) places.push(place);
      };
      walk(data, 0, []);
      return places;
    },
  };
}
