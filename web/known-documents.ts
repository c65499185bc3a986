// Every operation of the dashboard as its client sends it: the gateway's list of what may be asked without a key.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatDocument } from '@urql/core';
import { type DocumentNode, Kind, print } from 'graphql';

const isOperation = (value: unknown): value is DocumentNode =>
  typeof value === 'object' &&
  value !== null &&
  (value as DocumentNode).kind === Kind.DOCUMENT &&
  (value as DocumentNode).definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);

/** `folder`: where the operations are, `src/lib/ops`. Each text twice: as it is written, and with the `__typename` that urql's cache adds. */
export async function knownDocuments(folder: string): Promise<string[]> {
  const texts = new Set<string>();
  for (const name of readdirSync(folder).toSorted()) {
    const module = (await import(pathToFileURL(join(folder, name)).href)) as Record<string, unknown>;
    for (const value of Object.values(module).filter(isOperation)) {
      texts.add(print(value));
      texts.add(print(formatDocument(value)));
    }
  }
  return [...texts];
}
