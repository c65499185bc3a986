// Finds the objects of an answer that a fetch adds to, and their places.
import type { ResponsePath } from '@apollo/query-planner';
import { type Fields, isFields } from './merge.ts';

/** The objects at a plan's path, in order; `@` stands for every element of a list. Null and missing objects are left out. */
export function targetsAt(data: Fields, path: ResponsePath): Fields[] {
  if (path.length === 0) return [data];
  const targets: Fields[] = [];
  walk(data, 0);
  return targets;

  function walk(value: unknown, depth: number): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      const next = path[depth] === '@' ? depth + 1 : depth;
      for (const element of value) walk(element, next);
    } else if (depth === path.length) {
      if (isFields(value)) targets.push(value);
    } else if (isFields(value)) walk(value[path[depth] as string], depth + 1);
  }
}

type Place = (string | number)[];

/** The places of the objects that targetsAt finds, in the same order. A function of its own, since only errors need places. */
export function placesAt(data: Fields, path: ResponsePath): Place[] {
  const places: Place[] = [];
  walk(data, 0, []);
  return places;

  function walk(value: unknown, depth: number, place: Place): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      const next = path[depth] === '@' ? depth + 1 : depth;
      value.forEach((element, index) => walk(element, next, [...place, index]));
    } else if (depth === path.length) {
      if (isFields(value)) places.push(place);
    } else if (isFields(value)) walk(value[path[depth] as string], depth + 1, [...place, path[depth] as string]);
  }
}
