// House rules on the content and names of files.
import ts from 'typescript';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { PAYMENT_METHODS } from '../../subgraphs/accounts/billing/payments/providers/payment-methods.ts';
import { layerOf } from './import-rules.ts';
import { type Rule, lineOf, nodesOf } from './source-files.ts';

/** The code that breaks a rule, with its line. */
const placeOf = (node: ts.Node): string => `${node.getText().slice(0, 60)} in line ${lineOf(node, node.getStart())}`;

/** Queries are named functions in `entities/`. */
const QUERIES =
  /^(find|findOne|findOneOrFail|findAll|findAndCount|findByCursor|count|upsert|upsertMany|nativeUpdate|nativeInsert|nativeDelete|insert|insertMany|create|createQueryBuilder|qb|execute)$/;
export const queriesAreNamed: Rule = ({ path, tree }) => {
  const layer = layerOf(path);
  if (layer !== 'graphql' && layer !== 'services') return [];
  const queries = [...nodesOf(tree)].filter(
    (node) =>
      (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') ||
      (ts.isCallExpression(node) && /^(CompiledQuery\.raw|runStatement|runPrepared|pointRead)$/.test(node.expression.getText())) ||
      (ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        QUERIES.test(node.expression.name.text) &&
        /(^|\.)em(\.fork\(\))?$/.test(node.expression.expression.getText())),
  ).length;
  return queries > 0 ? [`${queries} queries`] : [];
};

/** Differences between payment methods belong in their table or port: code that compares a name silently treats a new method in some way. */
const METHOD_NAMES = new Set(Object.values(PAYMENT_METHODS).flatMap(({ name, processor }): string[] => [name, processor]));
const METHOD_FOLDERS = /^subgraphs\/accounts\/billing\/payments\/providers\/[a-z-]+\//;
const EQUALITY = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);
const FACTS_OF_A_PAYMENT = /^(method|processor|destination|source)$/;
export const noMethodIsAskedForByName: Rule = ({ path, tree }) => {
  if (!/^(subgraphs|gateway|rest-adapter)\//.test(path) || METHOD_FOLDERS.test(path)) return [];
  const isName = (node: ts.Node) => ts.isStringLiteralLike(node) && METHOD_NAMES.has(node.text);
  return [...nodesOf(tree)]
    .filter(
      (node) =>
        (ts.isBinaryExpression(node) && EQUALITY.has(node.operatorToken.kind) && (isName(node.left) || isName(node.right))) ||
        (ts.isCaseClause(node) && isName(node.expression)) ||
        (ts.isCallExpression(node) && /\.includes$/.test(node.expression.getText()) && node.arguments.some(isName)) ||
        (ts.isPropertyAssignment(node) &&
          FACTS_OF_A_PAYMENT.test(node.name.getText()) &&
          !ts.isCallExpression(node.initializer) &&
          [...nodesOf(node.initializer)].some(isName)) ||
        (ts.isTaggedTemplateExpression(node) && [...METHOD_NAMES].some((name) => node.template.getText().includes(`'${name}'`))),
    )
    .map(placeOf);
};

/** Only one file reads the time, so that tests can set it; the client, which runs elsewhere, has a clock of its own. `new Date(value)` does not read it. */
const CLOCKS = ['subgraphs/shared/platform/clock.ts', 'rest-adapter/client/clock.ts'];
export const clockIsAsked: Rule = ({ path, tree }) => {
  if (CLOCKS.includes(path)) return [];
  return [...nodesOf(tree)]
    .filter(
      (node) =>
        (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0) ||
        (ts.isPropertyAccessExpression(node) && node.getText() === 'Date.now') ||
        (ts.isCallExpression(node) && node.expression.getText() === 'Date'),
    )
    .map(placeOf);
};

/** Subgraphs are queried through `ask.ts`, which converts errors; the gateway converts those of its merged answer. */
const TURNS_ERRORS = ['subgraphs/shared/platform/ask.ts', 'gateway/graph/gateway.ts'];
export const errorsAreTurnedOnce: Rule = ({ path, tree }) =>
  TURNS_ERRORS.includes(path)
    ? []
    : [...nodesOf(tree)]
        .filter((node) => ts.isCallExpression(node) && node.expression.getText() === 'fromExtensions')
        .map((node) => node.getText());

/** Only `schema/subgraphs.ts` lists the subgraphs: other arrays and unions that name most of them are second lists. */
export const namesHaveOneList: Rule = ({ path, tree }) => {
  if (path === 'schema/subgraphs.ts') return [];
  const namesIn = (node: ts.Node): readonly ts.Node[] =>
    ts.isArrayLiteralExpression(node) ? node.elements : ts.isUnionTypeNode(node) ? node.types : [];
  return [...nodesOf(tree)]
    .filter((node) => namesIn(node).filter((name) => SUBGRAPHS.some((subgraph) => name.getText() === `'${subgraph}'`)).length > 2)
    .map((node) => node.getText());
};

/** A file of more than 300 lines should be split. */
export const isShort: Rule = ({ lines }) => (lines > 300 ? [`${lines} lines`] : []);

/** A function of 80 lines should be split. Reported by name, as line numbers change. */
export const functionsAreShort: Rule = ({ tree }) =>
  [...nodesOf(tree)]
    .filter((node) => ts.isFunctionLike(node) && lineOf(node, node.getEnd()) - lineOf(node, node.getStart()) >= 80)
    .map((node) => nameOf(node));

function nameOf(node: ts.Node): string {
  const named = ts.isFunctionLike(node) && node.name ? node : node.parent;
  return 'name' in named ? (named.name as ts.Node).getText() : 'a function without a name';
}

const DRAWER = /(^|[-./])(utils?|helpers?|common|misc|managers?|handlers?)(?=[-./])/;
export const isNamedForAThing: Rule = ({ path }) => {
  const drawer = DRAWER.exec(path)?.[2];
  return [...(drawer ? [`${drawer} names a drawer, not a thing`] : []), ...(/[^a-z0-9./-]/.test(path) ? ['is not in kebab-case'] : [])];
};

/** Node runs TypeScript only if imports have the file's extension. */
export const importsHaveExtensions: Rule = ({ imports }) =>
  imports
    .map(({ target }) => target)
    .filter((target) => /^(subgraphs|edge|sandbox|gateway|rest-adapter|schema|test)\//.test(target) && !/\.(ts|json)$/.test(target));

/** Literal objects are not spread into others only for the layout. */
export const nothingIsSpreadForTheEye: Rule = ({ tree }) =>
  [...nodesOf(tree)].filter((node) => ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)).map(placeOf);
