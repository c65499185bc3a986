// The server's source files as syntax trees, so that rules check code and not comments or strings.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export interface SourceFile {
  /** Relative to the root of the checkout. */
  path: string;
  lines: number;
  /** Its imports: a path from the root for relative, `#platform/`, `#commerce/` and `#lines/` imports, else the package's name. */
  imports: { target: string; typeOnly: boolean }[];
  tree: ts.SourceFile;
}

/** Returns the breaches of a house rule in a file; empty if there are none. */
export type Rule = (file: SourceFile) => string[];

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SERVER = ['*.ts', ...['schema', 'subgraphs', 'edge', 'sandbox', 'gateway', 'rest-adapter'].map((room) => `${room}/**/*.ts`)];

export const sourceFiles = (): SourceFile[] =>
  SERVER.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((path) => !path.endsWith('.d.ts') && !path.includes('node_modules'))
    .sort()
    .map((path) => readSource(path, readFileSync(`${ROOT}${path}`, 'utf8')));

export function readSource(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: SourceFile['imports'] = [];
  const add = (specifier: ts.Expression | undefined, typeOnly: boolean) => {
    if (specifier && ts.isStringLiteralLike(specifier)) imports.push({ target: targetOf(path, specifier.text), typeOnly });
  };
  for (const node of nodesOf(tree)) {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly ?? false);
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
  }
  return { path, lines: text.trimEnd().split('\n').length, imports, tree };
}

function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  return specifier.replace(/^#(platform|commerce|lines)\//, 'subgraphs/shared/$1/');
}

export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

/** Counted from one. */
export const lineOf = (node: ts.Node, position: number): number => node.getSourceFile().getLineAndCharacterOfPosition(position).line + 1;
