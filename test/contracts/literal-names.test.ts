// A search for an operation's name finds it in the subgraph that implements it.
import { type ObjectTypeDefinitionNode, type ObjectTypeExtensionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { contractOf } from '../../schema/contracts.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { sourceFiles } from './source-files.ts';

const ROOTS = ['Query', 'Mutation', 'Subscription'];
const files = sourceFiles();

const operationsOf = (name: (typeof SUBGRAPHS)[number]): string[] =>
  parse(contractOf(name))
    .definitions.filter(
      (node): node is ObjectTypeDefinitionNode | ObjectTypeExtensionNode =>
        (node.kind === 'ObjectTypeDefinition' || node.kind === 'ObjectTypeExtension') && ROOTS.includes(node.name.value),
    )
    .flatMap(({ fields = [] }) => fields.map((field) => field.name.value));

test.each(SUBGRAPHS)('%s contains the literal name of each of its operations', (name) => {
  const text = files
    .filter(({ path }) => path.startsWith(`subgraphs/${name}/`))
    .map(({ tree }) => tree.text)
    .join('\n');
  const operations = operationsOf(name);
  expect(operations).not.toEqual([]);
  expect(operations.filter((operation) => !new RegExp(`\\b${operation}\\b`).test(text))).toEqual([]);
});
