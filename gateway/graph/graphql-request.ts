// What a POST to /graphql carries and accepts: one request of GraphQL over HTTP, whose document may be named by its hash once its caller has sent it whole.
import { because, fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import type { RegisteredDocuments } from './registered-documents.ts';

export interface Params {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

export const MEDIA_TYPE = 'application/graphql-response+json';

/** The one of the two JSON types that the client prefers; undefined when it accepts neither. */
export function jsonTypeFor(accept: string | undefined): string | undefined {
  if (!accept) return 'application/json';
  if (accept.includes(MEDIA_TYPE)) return MEDIA_TYPE;
  return /application\/(json|\*)|\*\/\*/.test(accept) ? 'application/json' : undefined;
}

export const isEventStream = (accept: string | undefined): boolean => accept?.includes('text/event-stream') === true;

/** The sentence by which clients of the protocol know that they must send the document whole. */
export const NOT_REGISTERED = 'PersistedQueryNotFound';

/** undefined: its document is not registered. Throws `parameter_invalid` for a body that is not one GraphQL request, such as a batch, and `parameter_missing`. */
export async function readParams(body: Buffer, viewer: Viewer, documents: RegisteredDocuments): Promise<Params | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw fail('parameter_invalid', { reason: because('body_not_json') });
  }
  if (Array.isArray(value)) throw fail('parameter_invalid', { reason: because('graphql_batch') });
  if (!isObject(value)) throw fail('parameter_invalid', { reason: because('body_not_graphql') });
  const { query, variables, operationName, extensions, documentId } = value;
  if (query != null && typeof query !== 'string') throw fail('parameter_invalid', { field: 'query' });
  if (!isObjectOrAbsent(variables)) throw fail('parameter_invalid', { field: 'variables' });
  if (!isObjectOrAbsent(extensions)) throw fail('parameter_invalid', { field: 'extensions' });
  if (operationName != null && typeof operationName !== 'string') throw fail('parameter_invalid', { field: 'operationName' });
  const document = await documents.documentOf(viewer, query ?? undefined, hashIn(extensions, documentId));
  if (document === undefined) return undefined;
  return {
    query: document,
    ...(isObject(variables) && { variables }),
    ...(typeof operationName === 'string' && { operationName }),
  };
}

const SHA256 = /^[\da-f]{64}$/;

/** The hash by which a request names its document; undefined: it names none. */
function hashIn(extensions: unknown, documentId: unknown): string | undefined {
  if (documentId != null) {
    const hash = typeof documentId === 'string' && documentId.startsWith('sha256:') ? documentId.slice('sha256:'.length) : '';
    if (!SHA256.test(hash)) throw fail('parameter_invalid', { field: 'documentId' });
    return hash;
  }
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined;
  if (persisted === undefined) return undefined;
  const { version, sha256Hash: hash } = isObject(persisted) ? persisted : {};
  if (version !== 1 || typeof hash !== 'string' || !SHA256.test(hash)) throw fail('parameter_invalid', { field: 'extensions' });
  return hash;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isObjectOrAbsent = (value: unknown) => value == null || isObject(value);
