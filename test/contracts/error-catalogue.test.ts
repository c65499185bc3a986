import { type FieldDefinitionNode, parse, visit } from 'graphql';
import { expect, test } from 'vitest';
import { isErrorCode } from '#platform/errors.ts';
import { ERRORS, ERRORS_BY } from '../../schema/codes/catalogue.ts';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { contractOf } from '../../schema/contracts.ts';
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

test('each code is in one subgraph’s file, sorted there, and its sentence ends with a full stop', () => {
  const rooms = Object.values(ERRORS_BY);
  expect(rooms.flatMap((room) => Object.keys(room)).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  for (const room of rooms) expect(Object.keys(room)).toEqual(Object.keys(room).toSorted());
  expect(
    Object.values(ERRORS)
      .map(({ message }) => message)
      .filter((message) => !/^[A-Za-z].*[.:]?.*[\w>.]$/.test(message) || !message.endsWith('.')),
  ).toEqual([]);
});
