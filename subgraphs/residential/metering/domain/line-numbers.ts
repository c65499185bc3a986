// Sets of line numbers as spans, the form of PostgreSQL's int4multirange: a report that was counted whole is one span, whatever its length.

/** First and last line number. Spans are ascending and do not touch. */
export type LineSpan = readonly [first: number, last: number];

/** Reads `{[0,5),[7,8)}`. */
export const readSpans = (text: string): LineSpan[] =>
  [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, first, end]) => [Number(first), Number(end) - 1]);

export const writeSpans = (spans: readonly LineSpan[]): string => `{${spans.map(([first, last]) => `[${first},${last}]`).join(',')}}`;

/** Collects numbers that are in none of the known spans, each once. */
export class NewNumbers {
  readonly #known: readonly LineSpan[];
  readonly #taken = new Set<number>();

  constructor(known: readonly LineSpan[]) {
    this.#known = known;
  }

  /** Returns whether the number is new, and marks it as taken. */
  take(number: number): boolean {
    if (this.#taken.has(number) || contains(this.#known, number)) return false;
    this.#taken.add(number);
    return true;
  }

  /** Makes the number new again, since its line was not entered. */
  release(number: number): void {
    this.#taken.delete(number);
  }

  /** The numbers that were taken. */
  spans(): LineSpan[] {
    const spans: [number, number][] = [];
    for (const number of [...this.#taken].sort((a, b) => a - b)) {
      const last = spans.at(-1);
      if (last && last[1] === number - 1) last[1] = number;
      else spans.push([number, number]);
    }
    return spans;
  }
}

function contains(spans: readonly LineSpan[], number: number): boolean {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = spans[middle] as LineSpan;
    if (number < first) high = middle - 1;
    else if (number > last) low = middle + 1;
    else return true;
  }
  return false;
}
