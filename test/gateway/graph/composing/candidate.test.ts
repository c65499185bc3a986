import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CandidateQuestion, judgeCandidate } from '../../../../gateway/graph/composing/candidate.ts';
import { SDL, SUPERGRAPH } from '../../small-subgraphs.ts';

const folder = mkdtempSync(join(tmpdir(), 'egress-partner-'));
writeFileSync(join(folder, 'used.graphql'), 'query Used { plans { used } }');
afterAll(() => rmSync(folder, { recursive: true }));

/** The contracts with a change of one of them, judged. */
const judged = (name: keyof typeof SDL, from: string | RegExp, to: string, more: Partial<CandidateQuestion> = {}) =>
  judgeCandidate({
    contracts: { ...SDL, [name]: SDL[name].replace(from, to) },
    present: SUPERGRAPH,
    published: SUPERGRAPH,
    documents: ['query Ready { meterReady }'],
    folder,
    ...more,
  });

test('a graph that adds a field is one to take, and says what it changes', () => {
  const { graph, refused, changes } = judged('meter', 'meterReady: Boolean!', 'meterReady: Boolean! meterName: String');
  expect(refused).toEqual([]);
  expect(changes).toEqual(['Query.meterName was added.']);
  expect(graph?.api).toContain('meterName: String');
  expect(graph?.supergraph).toContain('meterName: String');
});

describe('a graph is refused that', () => {
  test.each([
    ['does not compose', 'meter', 'type Query { ', 'type Query { plans: Int ', /Query\.plans/],
    ['is no GraphQL', 'meter', 'type Query', 'typo Query', /^\[meter\] Syntax Error/],
    ['breaks what was published', 'plans', 'title: String!', 'title: String', /^It breaks what was published: Bundle\.title changed type/],
    ['lets callers in who were not', 'plans', ' @staff(permission: "plans")', '', /^Query\.deskOnly would lose @staff\.$/],
    [
      'asks no scope any more',
      'plans',
      ' @requiresScopes(scopes: [["servers"]])',
      '',
      /^Mutation\.planRename would lose @requiresScopes\.$/,
    ],
    ['does not answer the dashboard', 'meter', 'meterReady: Boolean!', 'meterName: String', /does not answer Ready of the dashboard/],
    ['does not answer a partner', 'meter', ' used: Int cost', ' cost', /does not answer Used of used\.graphql/],
  ] as const)('%s', (_what, name, from, to, reason) => {
    const { graph, refused } = judged(name, from, to);
    expect(graph).toBeUndefined();
    expect(refused.join('\n')).toMatch(new RegExp(reason.source, 'm'));
  });

  test('goes by a folder that is not there', () => {
    expect(() => judged('meter', 'x', 'x', { folder: join(folder, 'none') })).toThrow('has no .graphql');
  });
});

test('what the present graph breaks already is no reason against the next one', () => {
  const published = SUPERGRAPH.replace('meterReady: Boolean!', 'meterReady: Boolean! gone: Int');
  const documents = ['{ nothing }'];
  expect(judged('meter', 'meterReady: Boolean!', 'meterReady: Boolean! meterName: String', { published, documents }).refused).toEqual([]);
});
