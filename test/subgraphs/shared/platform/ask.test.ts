import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { askerOf, failureOf, type SubgraphRequest } from '#platform/ask.ts';
import { Failure } from '#platform/errors.ts';
import { systemViewer } from '#platform/identity.ts';

const viewer = systemViewer('test', 'req_1');
const askOf = (result: object) => {
  const asked: SubgraphRequest[] = [];
  const ask = askerOf({
    async execute(request) {
      asked.push(request);
      return result;
    },
  });
  return { ask, asked };
};

test('the data of an answer, for the query and its variables', async () => {
  const { ask, asked } = askOf({ data: { plan: { id: '1' } } });
  expect(await ask('query plan($id: ID!) { plan(id: $id) { id } }', { id: '1' }, viewer)).toEqual({ plan: { id: '1' } });
  expect(asked).toEqual([{ query: 'query plan($id: ID!) { plan(id: $id) { id } }', variables: { id: '1' } }]);
});

test('the first error as a Failure with its sentence and what helps, also beside data', async () => {
  const errors = [
    new GraphQLError('Wait a little.', { extensions: { code: 'too_many_attempts', retryAfterSeconds: 7 } }),
    new GraphQLError('x', { extensions: { code: 'plan_not_found' } }),
  ];
  for (const data of [null, { plan: null }]) {
    const failure = await askOf({ data, errors })
      .ask('{ plan { id } }', {}, viewer)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ code: 'too_many_attempts', message: 'Wait a little.', meta: { retry_after_seconds: 7 } });
  }
});

test('internal for an error without a code of the catalogue, and for an answer of nothing', async () => {
  const withoutCode = askOf({ errors: [new GraphQLError('secret detail', { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })] });
  const failure = await withoutCode.ask('{ x }', {}, viewer).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'internal' });
  expect((failure as Failure).message).not.toContain('secret');
  await expect(askOf({}).ask('{ x }', {}, viewer)).rejects.toMatchObject({ code: 'internal' });
  expect(failureOf({ data: { x: 1 } })).toBeUndefined();
});
