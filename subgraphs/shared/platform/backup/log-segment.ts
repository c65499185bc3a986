// Files of PostgreSQL's write-ahead log. A segment's name has 24 hexadecimal digits: 8 for the timeline, then a position that only grows.
// https://www.postgresql.org/docs/18/wal-internals.html

/** A complete segment, or a timeline history file. */
const KEPT = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)$/;
const SEGMENT = /^[0-9A-F]{24}$/;

export const isLogFile = (name: string): boolean => KEPT.test(name);
export const isSegment = (name: string): boolean => SEGMENT.test(name);

/** The segment's position on any timeline; compare it as text. */
export const placeOfSegment = (name: string): string => name.slice(8);
