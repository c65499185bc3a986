// The answers to OWASP ASVS 5.0 of accounts contain every requirement of levels 1 and 2 once, and name only existing files.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
/** A row is `- **6.1.1 (1) requirement**: answer`. */
const rows = [
  ...readFileSync(new URL('subgraphs/accounts/ASVS.md', root), 'utf8').matchAll(/^- \*\*(\d[^*]*)\*\*: ((?:.|\n(?!-|\n))*)/gm),
].map(([, asked = '', answer = '']) => ({ asked, answer: answer.replaceAll(/\s+/g, ' ') }));

/** Section -> its number of requirements of levels 1 and 2, which come before those of level 3. Version 5.0.0, chapters 6, 7 and 10. */
const SECTIONS: Record<string, number> = {
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
};

/** "6.2.6, 6.2.7 (1) ..." and "10.4.1 to 10.4.11 (1, 2) ..." as single numbers. */
function numbersOf({ asked }: { asked: string }): string[] {
  const [named = ''] = asked.split('(');
  const [, section = '', first = '', last = ''] = /^(\d+\.\d+)\.(\d+) to \d+\.\d+\.(\d+)/.exec(named) ?? [];
  if (!section) return named.split(',').map((each) => each.trim());
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${section}.${Number(first) + index}`);
}

test('every requirement is answered once, in order', () => {
  const wanted = Object.entries(SECTIONS).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
  );
  expect(rows.flatMap(numbersOf)).toEqual(wanted);
});

test('an answer says met, partly met or not applicable, and names existing files', () => {
  for (const { asked, answer } of rows) {
    expect(answer, asked).toMatch(/^(met|in part|not applicable)\b/);
    for (const [, path = ''] of answer.matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g))
      expect(
        ['', 'subgraphs/accounts/'].some((room) => existsSync(new URL(room + path, root))),
        path,
      ).toBe(true);
  }
});
