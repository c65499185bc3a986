// Every refusal of the API has a sentence in each language of the pages, which uses only the parameters of its reason.
import { describe, expect, test } from 'vitest';
import { because, sentenceOf } from '#platform/errors.ts';
import { ERRORS, REASONS, REASONS_BY, type ReasonCode } from '../../schema/codes/catalogue.ts';
import * as de from '../../web/src/lib/text/de/refusals.ts';
import * as en from '../../web/src/lib/text/en/refusals.ts';
import { sourceFiles } from './source-files.ts';

const named = (sentence: string): string[] =>
  [...new Set([...sentence.matchAll(/\{(\w+)(?:, number)?\}/g)].map(([, name]) => name ?? ''))].toSorted();
const codes = Object.keys(REASONS) as ReasonCode[];
const files = sourceFiles();

test('each reason is in one subgraph’s file, sorted there, and its sentence ends with a full stop', () => {
  const rooms = Object.values(REASONS_BY);
  expect(rooms.flatMap((room) => Object.keys(room)).toSorted()).toEqual(codes.toSorted());
  for (const room of rooms) expect(Object.keys(room)).toEqual(Object.keys(room).toSorted());
  expect(Object.values(REASONS).filter((sentence) => !/(\.|^\{words\})$/.test(sentence))).toEqual([]);
});

test('a sentence is built from the parameters of its reason', () => {
  expect(sentenceOf(because('server_not_running', { state: 'stopped' }))).toBe('The server must be running; it is stopped.');
  expect(sentenceOf(because('static_quantity', { min: 1, max: 1_000 }))).toBe(
    'A plan has 1 to 1,000 addresses; for more, please write to us.',
  );
  expect(sentenceOf(because('nothing_owed'))).toBe('Nothing is owed.');
});

describe.each(Object.entries({ en, de }))('in the language %s', (_language, { byCode, byReason }) => {
  test('every code has a sentence', () => {
    expect(Object.keys(byCode).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
    expect(Object.values(byCode).filter((sentence) => !/^\p{L}.*\.$/u.test(sentence))).toEqual([]);
  });

  test('every reason has a sentence that names what the reason carries, and nothing else', () => {
    expect(Object.keys(byReason).toSorted()).toEqual(codes.toSorted());
    const wrong = codes.filter((code) => {
      const sentence = byReason[code];
      const names = named(REASONS[code]);
      if (typeof sentence === 'string') return named(sentence).join() !== names.join();
      const said = sentence(Object.fromEntries(names.map((name) => [name, `<${name}>`])) as never);
      return said.includes('undefined') || names.some((name) => !said.includes(`<${name}>`));
    });
    expect(wrong).toEqual([]);
  });
});

/** A refusal with a literal sentence. `query_refused` is excepted, as graphql-js describes invalid documents in English only. */
const SENTENCE = /\bfail\(\s*'(?!query_refused)\w+',\s*\{[^{}]*\},\s*['`]/;

test('rules, use cases and doors give reasons by their codes, never as sentences', () => {
  const rooms = /^(subgraphs\/(?!shared\/).*\/(domain|services)|subgraphs\/shared|gateway)\//;
  expect(files.filter(({ path, tree }) => rooms.test(path) && SENTENCE.test(tree.text)).map(({ path }) => path)).toEqual([]);
  expect(`fail('plan_expired', { field }, 'This plan is used up.')`).toMatch(SENTENCE);
});
