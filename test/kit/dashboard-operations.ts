import type { DocumentNode } from 'graphql';

/** The exports of a file of the dashboard's `ops/`. The import is dynamic, so that the server's types do not depend on the dashboard's generated types. */
export const operationsOf = async (noun: string): Promise<Record<string, unknown>> =>
  (await import(new URL(`../../web/src/lib/ops/${noun}.ts`, import.meta.url).href)) as Record<string, unknown>;

/** One operation of such a file. Throws if the file does not export it. */
export async function operationOf(noun: string, name: string): Promise<DocumentNode> {
  const found = (await operationsOf(noun))[name];
  if (!found) throw new Error(`ops/${noun}.ts has no ${name}`);
  return found as DocumentNode;
}
