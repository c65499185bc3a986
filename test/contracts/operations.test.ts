import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DocumentNode, type FragmentDefinitionNode, Kind, buildSchema, parse, print, validate, visit } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { apiSdl } from '../../schema/compose.ts';

const api = buildSchema(apiSdl());
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const problemsOf = (document: DocumentNode) => validate(api, document).map(({ message }) => message);

describe('the operations of REST and MCP', () => {
  test.each(ENDPOINTS.map((endpoint) => [endpoint.tool, endpoint] as const))('%s is valid against the API schema', (_, { operation }) => {
    expect(problemsOf(parse(operation))).toEqual([]);
  });
});

/** The templates of gql.tada's `graphql(...)` calls, read as text, as the dashboard's files are built by other tools. */
const TEMPLATE = /\bgraphql\(\s*`([^`]*)`/g;
const documents = globSync('web/src/**/*.{ts,svelte}', { cwd: ROOT }).flatMap((file) =>
  [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(TEMPLATE)].map(([, text = '']) => ({ file, document: parse(text) })),
);
const fragments = new Map(
  documents.flatMap(({ document }) =>
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  ),
);

/** A directive for gql.tada's types only, which gql.tada removes before sending. */
const UNMASK = '_unmask';

/** A document with all fragments that it spreads, also those defined in other files. */
function complete(document: DocumentNode): DocumentNode {
  const definitions = new Set(document.definitions);
  const spread = (node: FragmentDefinitionNode | DocumentNode) =>
    visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment || definitions.has(fragment)) return;
        definitions.add(fragment);
        spread(fragment);
      },
    });
  spread(document);
  return visit({ ...document, definitions: [...definitions] }, { Directive: ({ name }) => (name.value === UNMASK ? null : undefined) });
}

describe('the operations of the dashboard', () => {
  const operations = documents.flatMap(({ file, document }) =>
    document.definitions.flatMap((node) =>
      node.kind === Kind.OPERATION_DEFINITION ? [{ name: node.name?.value ?? 'without a name', file, document }] : [],
    ),
  );

  test('are found', () => {
    expect(operations.length).toBeGreaterThan(10);
  });

  test('select money by its one fragment', () => {
    const elsewhere = documents
      .flatMap(({ file, document }) => document.definitions.map((definition) => ({ file, definition })))
      .filter(({ definition }) => definition !== fragments.get('MoneyFields'))
      .filter(({ definition }) => /\bamountMinor\s+currency\b/.test(print(definition)));
    expect(elsewhere.map(({ file }) => file)).toEqual([]);
  });

  test.each(operations.map((operation) => [operation.name, operation.file, operation.document] as const))(
    '%s in %s is valid against the API schema',
    (_name, _file, document) => {
      expect(problemsOf(complete(document))).toEqual([]);
    },
  );

  test('have one name each', () => {
    const names = operations.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('use every fragment that is defined', () => {
    const used = new Set(
      operations.flatMap(({ document }) =>
        complete(document).definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [node.name.value] : [])),
      ),
    );
    expect([...fragments.keys()].filter((name) => !used.has(name))).toEqual([]);
  });
});
