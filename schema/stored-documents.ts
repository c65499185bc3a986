// GraphQL documents that are stored as files: those of the dashboard's pages, and folders of documents that partners have sent.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DocumentNode, type FragmentDefinitionNode, type GraphQLSchema, Kind, parse, validate, visit } from 'graphql';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

export interface StoredText {
  /** Relative to the folder in which it was found. */
  file: string;
  text: string;
}

export interface DocumentProblem {
  file: string;
  /** The operation's name; absent: the file cannot be read, or the operation has none. */
  operation?: string;
  message: string;
}

export interface StoredOperation {
  name: string | undefined;
  file: string;
  /** With all fragments that it spreads, also those of other files. */
  document: DocumentNode;
}

/** The templates of gql.tada's `graphql(...)` calls, read as text, as the dashboard's files are built by other tools. */
const TEMPLATE = /\bgraphql\(\s*`([^`]*)`/g;
/** A directive for gql.tada's types only, which gql.tada removes before sending. */
const UNMASK = /@_unmask\b/g;

/** What the dashboard asks. */
export const dashboardTexts = (): StoredText[] =>
  globSync('web/src/**/*.{ts,svelte}', { cwd: ROOT })
    .toSorted()
    .flatMap((file) =>
      [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(TEMPLATE)].map(([, text = '']) => ({ file, text: text.replace(UNMASK, '') })),
    );

/**
 * Everything in a folder and those below it: `.graphql` and `.gql` with any number of operations and fragments, `.json` with a list of documents, an object of
 * them by their hash or name, or Apollo's manifest of persisted queries. Throws an Error that names the folder without any, and a file that is none of these.
 */
export function textsIn(folder: string): StoredText[] {
  const files = globSync('**/*.{graphql,gql,json}', { cwd: folder }).toSorted();
  if (files.length === 0) throw new Error(`${folder} has no .graphql, .gql or .json files.`);
  return files.flatMap((file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    return file.endsWith('.json') ? listed(file, text).map((one) => ({ file, text: one })) : [{ file, text }];
  });
}

function listed(file: string, text: string): string[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const { operations = content } = (content ?? {}) as { operations?: unknown };
  const found = Object.values((operations ?? {}) as object).map((one: unknown) => (one as { body?: unknown } | null)?.body ?? one);
  if (found.length > 0 && found.every((one) => typeof one === 'string')) return found;
  throw new Error(`${file} is neither a list or an object of documents, nor a manifest of persisted queries.`);
}

export class StoredDocuments {
  readonly operations: readonly StoredOperation[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Texts that are no GraphQL. */
  readonly unreadable: readonly DocumentProblem[];

  constructor(texts: readonly StoredText[]) {
    const [read, unreadable]: [{ file: string; document: DocumentNode }[], DocumentProblem[]] = [[], []];
    for (const { file, text } of texts)
      try {
        read.push({ file, document: parse(text) });
      } catch (error) {
        unreadable.push({ file, message: (error as Error).message });
      }
    this.unreadable = unreadable;
    this.fragments = new Map(
      read.flatMap(({ document }) =>
        document.definitions
          .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
          .map((node) => [node.name.value, node]),
      ),
    );
    this.operations = read.flatMap(({ file, document }) =>
      document.definitions
        .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
        .map((node) => ({ name: node.name?.value, file, document: this.#complete({ ...document, definitions: [node] }, document) })),
    );
  }

  /** What is wrong with them on this schema. */
  problems(schema: GraphQLSchema): DocumentProblem[] {
    return [
      ...this.unreadable,
      ...this.operations.flatMap(({ file, name, document }) =>
        validate(schema, document).map(({ message }) => ({ file, ...(name !== undefined && { operation: name }), message })),
      ),
    ];
  }

  /** A file's own fragment comes before one of the same name elsewhere. */
  #complete(operation: DocumentNode, home: DocumentNode): DocumentNode {
    const definitions = new Set(operation.definitions);
    const own = new Map(home.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])));
    const spread = (node: FragmentDefinitionNode | DocumentNode) =>
      visit(node, {
        FragmentSpread: ({ name }) => {
          const fragment = own.get(name.value) ?? this.fragments.get(name.value);
          if (!fragment || definitions.has(fragment)) return;
          definitions.add(fragment);
          spread(fragment);
        },
      });
    spread(operation);
    return { ...operation, definitions: [...definitions] };
  }
}
