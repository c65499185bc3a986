// The months and quarters that bookkeepers report by.

/** The ends of `count` months, beginning with the month of `at`. */
export const monthEnds = (at: Date, count: number): Date[] =>
  Array.from({ length: count }, (_, index) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1 + index, 1)));

/** The end, exclusive, of a quarter written as YYYY-Qn. */
export const endOfQuarter = (quarter: string): Date => new Date(Date.UTC(Number(quarter.slice(0, 4)), Number(quarter.slice(-1)) * 3, 1));
