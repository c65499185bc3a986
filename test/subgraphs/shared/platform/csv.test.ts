import { expect, test } from 'vitest';
import { csvLine } from '#platform/csv.ts';

test.each([
  [['a', null, ''], 'a,,\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  // A spreadsheet would run these as formulas.
  [['=1+1', '+cmd', '@sum', '-2+3', '\tx'], "'=1+1,'+cmd,'@sum,'-2+3,'\tx\r\n"],
  // Numbers are left as they are.
  [['-12.30', '-5', '+4'], '-12.30,-5,+4\r\n'],
])('%j is one line', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});
