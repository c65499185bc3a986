// Files of PostgreSQL's write-ahead log. Segments have 24 hexadecimal digits: a timeline of 8, then a place that only grows.
// https://www.postgresql.org/docs/18/wal-internals.html

/** A whole segment, or how a timeline left another. */
const KEPT = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)$/;
const SEGMENT = /^[0-9A-F]{24}$/;

export const isLogFile = (name: string): boolean => KEPT.test(name);
export const isSegment = (name: string): boolean => SEGMENT.test(name);

/** Where it stands on whatever timeline: to be compared as text. */
export const placeOfSegment = (name: string): string => name.slice(8);
