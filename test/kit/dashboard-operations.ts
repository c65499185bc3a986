import type { DocumentNode } from 'graphql';

/** What a file of the dashboard's `ops/` exports. Found as it runs: the server's types need none of those that are made for the dashboard. */
export const operationsOf = async (noun: string): Promise<Record<string, unknown>> =>
  (await import(new URL(`../../web/src/lib/ops/${noun}.ts`, import.meta.url).href)) as Record<string, unknown>;

/** One of them. */
export async function operationOf(noun: string, name: string): Promise<DocumentNode> {
  const found = (await operationsOf(noun))[name];
  if (!found) throw new Error(`ops/${noun}.ts has no ${name}`);
  return found as DocumentNode;
}
