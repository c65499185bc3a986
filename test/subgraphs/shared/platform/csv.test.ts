import { expect, test } from 'vitest';
import { csvLine } from '#platform/csv.ts';

test.each([
  [['a', null, ''], 'a,,\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  // A spreadsheet would compute these.
  [['=1+1', '+cmd', '@sum', '-2+3', '\tx'], "'=1+1,'+cmd,'@sum,'-2+3,'\tx\r\n"],
  // Amounts stay amounts.
  [['-12.30', '-5', '+4'], '-12.30,-5,+4\r\n'],
])('%j is one line', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});
