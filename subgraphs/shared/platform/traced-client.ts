// Spans for a database connection's statements: with their text, in which every value is a parameter, and never a value.
import type { PoolClient } from 'pg';
import { isTracing, traced } from './tracing.ts';

const TEXT_CHARACTERS = 500;

type Query = (...args: unknown[]) => unknown;

/** Traces all further statements of a connection while tracing is on. */
export function traceStatements(client: PoolClient, database: string): void {
  const query = client.query.bind(client) as Query;
  client.query = ((...args: unknown[]) => {
    const text = textOf(args[0]);
    const callback = args.at(-1);
    if (!isTracing() || text === undefined) return query(...args);
    const beginning = {
      name: `${text.trimStart().split(/\s/, 1)[0]?.toLowerCase()} ${database}`,
      kind: 'client' as const,
      attributes: { 'db.system.name': 'postgresql', 'db.namespace': database, 'db.query.text': text.slice(0, TEXT_CHARACTERS) },
    };
    if (typeof callback !== 'function') return traced(beginning, () => query(...args) as Promise<unknown>);
    const asked = () =>
      new Promise((resolve, reject) => {
        query(...args.slice(0, -1), (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)));
      });
    void traced(beginning, asked).then(
      (result) => (callback as Query)(null, result),
      (error: unknown) => (callback as Query)(error),
    );
    return undefined;
  }) as typeof client.query;
}

/** A statement's text; undefined for a cursor, which reads by itself. */
const textOf = (asked: unknown): string | undefined => {
  if (typeof asked === 'string') return asked;
  const { text, submit } = (asked ?? {}) as { text?: unknown; submit?: unknown };
  return typeof text === 'string' && submit === undefined ? text : undefined;
};
