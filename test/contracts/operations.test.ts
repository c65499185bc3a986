// The documents that the product sends itself; published-api.test.ts checks that those of the dashboard are valid.
import { Kind, buildSchema, parse, print, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { apiSdl } from '../../schema/contracts.ts';
import { StoredDocuments, dashboardTexts } from '../../schema/stored-documents.ts';

const api = buildSchema(apiSdl());

describe('the operations of REST and MCP', () => {
  test.each(ENDPOINTS.map((endpoint) => [endpoint.tool, endpoint] as const))('%s is valid against the API schema', (_, { operation }) => {
    expect(validate(api, parse(operation)).map(({ message }) => message)).toEqual([]);
  });
});

const dashboard = new StoredDocuments(dashboardTexts());

describe('the operations of the dashboard', () => {
  const { operations, fragments } = dashboard;

  test('are found', () => {
    expect(operations.length).toBeGreaterThan(10);
    expect(dashboard.unreadable).toEqual([]);
  });

  test('select money by its one fragment', () => {
    const elsewhere = [...operations.flatMap(({ document }) => document.definitions), ...fragments.values()]
      .filter((definition) => definition !== fragments.get('MoneyFields'))
      .filter((definition) => /\bamountMinor\s+currency\b/.test(print(definition)));
    expect(elsewhere.map((definition) => print(definition))).toEqual([]);
  });

  test('have one name each', () => {
    const names = operations.map(({ name }) => name ?? 'without a name');
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('use every fragment that is defined', () => {
    const used = new Set(
      operations.flatMap(({ document }) =>
        document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [node.name.value] : [])),
      ),
    );
    expect([...fragments.keys()].filter((name) => !used.has(name))).toEqual([]);
  });
});
