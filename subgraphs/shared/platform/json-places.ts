// Where the values of a JSON text are, and which keys an object has twice: JSON.parse tells neither, and keeps the last of two values.

export type JsonPath = readonly PropertyKey[];

export interface JsonPlaces {
  /** The line of a value, from 1; of the nearest value around it when the text does not have it. */
  lineOf(path: JsonPath): number;
  /** Every key that its object had before, in the order of the text; of nested ones the outer one alone. */
  repeated: readonly JsonPath[];
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

interface Open {
  path: JsonPath;
  /** Of an array: the number of the element. Of an object: the key, once it is read. */
  at: number | string | undefined;
  isArray: boolean;
}

/** `text` must be JSON. */
export function placesIn(text: string): JsonPlaces {
  const lines = new Map<string, number>();
  const repeated: JsonPath[] = [];
  const again = new Set<string>();
  const open: Open[] = [];
  let [line, read] = [1, 0];
  const pathHere = (): JsonPath => {
    const inner = open.at(-1);
    return inner ? [...inner.path, ...(inner.at === undefined ? [] : [inner.at])] : [];
  };
  /** Remembers the line of the value that is about to be read. */
  const note = (path: JsonPath) => {
    const name = nameOf(path);
    if (lines.has(name) && !again.has(name) && !path.some((_, length) => again.has(nameOf(path.slice(0, length))))) {
      again.add(name);
      repeated.push(path);
    }
    lines.set(name, line);
  };
  note([]);
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    line += text.slice(read, index).split('\n').length - 1;
    read = index;
    const inner = open.at(-1);
    if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (inner) inner.at = inner.isArray ? Number(inner.at) + 1 : undefined;
    } else if (token !== ':') {
      if (inner && !inner.isArray && inner.at === undefined) {
        inner.at = JSON.parse(token) as string;
        note(pathHere());
      } else {
        if (inner?.isArray) note(pathHere());
        if (token === '{' || token === '[') open.push({ path: pathHere(), at: token === '[' ? 0 : undefined, isArray: token === '[' });
      }
    }
  }
  return {
    repeated,
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const found = lines.get(nameOf(path.slice(0, length)));
        if (found !== undefined) return found;
      }
      return 1;
    },
  };
}

const nameOf = (path: JsonPath): string => JSON.stringify(path.map(String));
