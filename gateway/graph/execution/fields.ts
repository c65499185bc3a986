// JSON objects as subgraphs answer them. Their members can have any name that an alias allows, also `constructor` and `__proto__`.

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object without a prototype, which inherits no members. */
export const newFields = (): Fields => Object.create(null) as Fields;

/** Reads the own member of this name; undefined when the object has none. Only names that objects inherit cost a check. */
export function readerOf(name: string): (from: Fields) => unknown {
  if (name in Object.prototype) return (from) => (Object.hasOwn(from, name) ? from[name] : undefined);
  return (from) => from[name];
}

/** Sets an own member: plain assignment of `__proto__` would change the object's prototype instead. */
export function setField(to: Fields, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(to, name, { value, configurable: true, enumerable: true, writable: true });
  else to[name] = value;
}
