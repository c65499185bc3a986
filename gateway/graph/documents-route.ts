// `/graphql/documents`: an account registers the documents that its programs ask. Each is checked against the schema, and kept for every process.
import { parse } from 'graphql';
import { because, fail } from '#platform/errors.ts';
import { isPerson } from '#platform/identity.ts';
import { readJsonObject, requireJson } from '#platform/read-body.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import type { Call, Route } from '#platform/route.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Gateway } from './gateway.ts';
import { type CallerParts, graphqlCaller } from './graphql-caller.ts';
import { LIMITS } from './limits.ts';
import { QueryRefused } from './planning/query-refused.ts';
import { type HashedDocument, type RegisteredDocuments, textHash } from './registered-documents.ts';

export const DOCUMENTS_PATH = '/graphql/documents';

/** Documents of one request. */
const DOCUMENTS_MAX = 100;
const BODY_LIMIT = 4_194_304;

interface DocumentsRouteOptions extends CallerParts {
  gateway: Pick<Gateway, 'prepareFor'>;
  documents: RegisteredDocuments;
}

/**
 * POST `{ "documents": ["query Plans { ... }"] }`: registers 1 to 100, all or none, and answers with the hash and the name of each. Errors: session_invalid
 * without a session or key, document_not_registered for a key that may register none, parameter_invalid (with the first document that is not valid).
 */
export function createDocumentsRoute({ gateway, documents: registered, ...parts }: DocumentsRouteOptions): Route {
  return {
    name: 'graphql',
    slowRefusals: true,
    matches: (pathname) => pathname === DOCUMENTS_PATH,
    async handle(request, response, call: Call) {
      requireMethod(request, response, 'POST');
      call.logFields.operation = 'documents';
      requireJson(request);
      const { viewer } = await graphqlCaller(parts, request, response, call);
      call.logFields.caller = viewer;
      if (viewer.kind !== 'key' && viewer.kind !== 'session') throw fail('session_invalid');
      if (viewer.kind === 'session' && viewer.impersonation) throw fail('impersonation_reads_only');
      if (viewer.kind === 'session' && !isPerson(viewer, 'keys')) throw fail('team_role_missing');
      // Whoever holds such a key could else register what it may not ask.
      if (viewer.kind === 'key' && viewer.documentsOnly) throw fail('document_not_registered');
      const texts = textsIn(await readJsonObject(request, BODY_LIMIT));
      const documents: HashedDocument[] = [];
      for (const [index, text] of texts.entries())
        documents.push({ hash: textHash(text), name: await nameOf(gateway, viewer, index, text), text });
      await registered.add(viewer, documents);
      sendJson(response, 200, { documents: documents.map(({ hash, name }) => ({ hash, name })) }, { 'Cache-Control': 'no-store' });
    },
  };
}

function textsIn({ documents }: Record<string, unknown>): string[] {
  const isList = Array.isArray(documents) && documents.length >= 1 && documents.length <= DOCUMENTS_MAX;
  if (isList && documents.every((text) => typeof text === 'string' && text.length <= LIMITS.characters)) return documents as string[];
  throw fail('parameter_invalid', { field: 'documents', reason: because('documents_count', { max: DOCUMENTS_MAX }) });
}

/** The name of a document's operation; empty without one. Throws parameter_invalid for a document that this caller's schema does not answer. */
async function nameOf(gateway: Pick<Gateway, 'prepareFor'>, viewer: Viewer, index: number, text: string): Promise<string> {
  try {
    // Of several operations each has a name.
    const names = parse(text).definitions.flatMap((node) => (node.kind === 'OperationDefinition' && node.name ? [node.name.value] : []));
    for (const name of names.length > 0 ? names : [undefined]) await gateway.prepareFor(viewer, text, name);
    return names[0] ?? '';
  } catch (error) {
    const problem = error instanceof Error ? error.message : '';
    if (!(error instanceof QueryRefused) && !(error instanceof Error && error.name === 'GraphQLError')) throw error;
    throw fail('parameter_invalid', { field: 'documents', reason: because('document_invalid', { number: index + 1, problem }) });
  }
}
