import { readFileSync } from 'node:fs';
import { type FieldDefinitionNode, parse, visit } from 'graphql';
import { expect, test } from 'vitest';
import { CATALOGUE, isErrorCode } from '#platform/errors.ts';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { contractOf } from '../../schema/compose.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';

/** "Errors: a, b." at the end of descriptions. */
const announced = SUBGRAPHS.flatMap((name) => {
  const found: { field: string; code: string }[] = [];
  visit(parse(contractOf(name)), {
    FieldDefinition(node: FieldDefinitionNode) {
      const list = /\bErrors:\s*([^.]+)\./.exec(node.description?.value ?? '')?.[1];
      for (const code of list?.split(',') ?? []) found.push({ field: `${name} ${node.name.value}`, code: code.trim() });
    },
  });
  return found;
});

test('every code that a contract announces is in the catalogue', () => {
  expect(announced.length).toBeGreaterThan(20);
  expect(announced.filter(({ code }) => !isErrorCode(code))).toEqual([]);
});

test('every code that an endpoint announces is in the catalogue', () => {
  const codes = ENDPOINTS.flatMap(({ tool, codes, refusals }) =>
    [...codes, ...Object.values(refusals).map((refusal) => (refusal as { code: string }).code)].map((code) => ({ tool, code })),
  );
  expect(codes.filter(({ code }) => !isErrorCode(code))).toEqual([]);
});

test('the catalogue is sorted, has each code once, and ends its sentences', () => {
  const source = readFileSync(new URL('../../subgraphs/shared/platform/errors.ts', import.meta.url), 'utf8');
  const rows = [...source.matchAll(/^ {2}(\w+): \{ status: \d+/gm)].map(([, code]) => code);
  expect(rows).toHaveLength(Object.keys(CATALOGUE).length);
  expect(rows).toEqual([...new Set(rows)].sort());
  expect(
    Object.values(CATALOGUE)
      .map(({ message }) => message)
      .filter((message) => !/^[A-Za-z].*[.:]?.*[\w>.]$/.test(message) || !message.endsWith('.')),
  ).toEqual([]);
});
