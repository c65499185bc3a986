// Every statement that goes to the database from this process, as it is sent.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** Our own driver, and the one of the package that maps entities: it may bring another, and then it is the one by which most goes. */
const ofEntities = createRequire(fileURLToPath(import.meta.resolve('@mikro-orm/postgresql')))('pg') as typeof pg;
const PROTOTYPES = [...new Set([pg.Client.prototype, ofEntities.Client.prototype])] as unknown as {
  query: (...given: unknown[]) => unknown;
}[];

interface Heard {
  /** The connection that it goes by. */
  client: object;
  text: string;
  values: unknown[];
}

interface Listener {
  heard(statement: Heard): void;
  failed(code: string | undefined): void;
}
const listeners = new Set<Listener>();

// Once, before anything connects: a connection keeps what it finds.
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

/** Hears them until the returned function is called; `failed` hears the code of each error. */
export function watchStatements(heard: Listener['heard'], failed: Listener['failed'] = () => {}): () => void {
  const listener = { heard, failed };
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
