// The statements of a file of SQL, one by one, as PostgreSQL's lexer tells them apart: quotes, dollar quotes and comments may hold semicolons.
const STEPS: readonly RegExp[] = [
  /--[^\n]*/y,
  // E'...' knows a backslash before a quote.
  /\b[eE]'(?:[^'\\]|\\.|'')*'/sy,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /(\$(?:[A-Za-z_][A-Za-z_0-9]*)?\$)[\s\S]*?\1/y,
];

/** Where a comment in which there may be others ends. */
function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    const two = sql.slice(at, at + 2);
    if (two !== '/*' && two !== '*/') continue;
    depth += two === '/*' ? 1 : -1;
    at++;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}

const isStatement = (text: string) =>
  text
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .trim() !== '';

/** Each without its semicolon; comments alone are none. */
export function statementsOf(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let at = 0;
  while (at < sql.length) {
    if (sql.startsWith('/*', at)) {
      at = endOfComment(sql, at);
      continue;
    }
    const match = STEPS.map((step) => ((step.lastIndex = at), step.exec(sql))).find((found) => found !== null);
    if (match) {
      at += match[0].length;
      continue;
    }
    if (sql[at] === ';') {
      statements.push(sql.slice(start, at));
      start = at + 1;
    }
    at++;
  }
  return [...statements, sql.slice(start)].map((text) => text.trim()).filter(isStatement);
}
