// Lets tests listen to every statement that this process sends to the database.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** MikroORM's copy of the driver, which may differ from our own; most statements go through MikroORM's. */
const ofEntities = createRequire(fileURLToPath(import.meta.resolve('@mikro-orm/postgresql')))('pg') as typeof pg;
const PROTOTYPES = [...new Set([pg.Client.prototype, ofEntities.Client.prototype])] as unknown as {
  query: (...given: unknown[]) => unknown;
}[];

interface Heard {
  /** The connection that the statement is sent on. */
  client: object;
  text: string;
  values: unknown[];
}

interface Listener {
  heard(statement: Heard): void;
  failed(code: string | undefined): void;
}
const listeners = new Set<Listener>();

// Patched once, before anything connects, as a connection may keep the methods that it was made with.
for (const prototype of PROTOTYPES) {
  const { query } = prototype;
  prototype.query = function (this: object, ...given: unknown[]) {
    const [first, second] = given;
    const { text, values = second } = (typeof first === 'string' ? { text: first } : (first ?? {})) as { text?: string; values?: unknown };
    if (typeof text === 'string')
      for (const { heard } of listeners) heard({ client: this, text, values: Array.isArray(values) ? values : [] });
    const answer = query.apply(this, given);
    if (answer instanceof Promise && listeners.size > 0)
      answer.catch((error: { code?: string }) => {
        for (const { failed } of listeners) failed(error.code);
      });
    return answer;
  };
}

/** Calls `heard` for each statement, and `failed` with the SQLSTATE of each error, until the returned function is called. */
export function watchStatements(heard: Listener['heard'], failed: Listener['failed'] = () => {}): () => void {
  const listener = { heard, failed };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
