// Splits a SQL file into statements by the rules of PostgreSQL's lexer: quotes, dollar quotes and comments may contain semicolons.
const STEPS: readonly RegExp[] = [
  /--[^\n]*/y,
  // E'...' allows a backslash before a quote.
  /\b[eE]'(?:[^'\\]|\\.|'')*'/sy,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /(\$(?:[A-Za-z_][A-Za-z_0-9]*)?\$)[\s\S]*?\1/y,
];

/** Where a comment ends, which may contain nested comments. */
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

/** The statements without semicolons; text that is only comments is none. */
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
