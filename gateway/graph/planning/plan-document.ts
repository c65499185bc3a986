// From a text to a plan: parses, checks limits, validates and plans. Without side effects, so that it can run in the planning thread as well as in the main thread.
import { type Schema, Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { type QueryPlan, QueryPlanner } from '@apollo/query-planner';
import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { requireCleanLiterals } from '#platform/clean-text.ts';
import { Failure, fail } from '#platform/errors.ts';
import { type Cost, type CostedSchema, checkCost, costOf } from '../cost.ts';
import { LIMITS, checkShape } from '../limits.ts';
import { QueryRefused } from './query-refused.ts';

/** What is needed to make a plan. */
export interface PlanningSchema extends CostedSchema {
  /** The API schema in the planner's own representation. */
  plannerSchema: Schema;
  planner: QueryPlanner;
}

/** The planner of a supergraph that has been validated elsewhere. */
export function planningOf(supergraphSdl: string): Pick<PlanningSchema, 'plannerSchema' | 'planner'> {
  const supergraph = Supergraph.build(supergraphSdl, { validateSupergraph: false });
  return { plannerSchema: supergraph.apiSchema(), planner: new QueryPlanner(supergraph) };
}

export interface ReadDocument {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  cost: Cost;
}

/** Throws QueryRefused. `operationName` chooses among several operations of one document. */
export function planDocument(schema: PlanningSchema, text: string, operationName: string | undefined): ReadDocument & { plan: QueryPlan } {
  return refusing(() => {
    const document = parsed(text);
    checkShape(document);
    requireCleanLiterals(document);
    // graphql-js throws during validation when the root field of a subscription has a condition with a variable; `refusing` makes that a refusal.
    const errors = validate(schema.apiSchema, document);
    if (errors.length) throw new QueryRefused(errors);
    const read = readDocument(schema, document, operationName);
    if (typeof read.cost === 'number') checkCost(read.cost, {});
    return { ...read, plan: planOf(schema, document, read.operation) };
  });
}

/** For a document that has been planned elsewhere: reads everything but the plan from its text. */
export function readPlanned(schema: CostedSchema, text: string, operationName: string | undefined): ReadDocument {
  return readDocument(schema, parsed(text), operationName);
}

function parsed(text: string): DocumentNode {
  if (text.length > LIMITS.characters) throw fail('query_refused', {}, `The document has more than ${LIMITS.characters} characters.`);
  return parse(text, { maxTokens: LIMITS.tokens });
}

function readDocument(schema: CostedSchema, document: DocumentNode, operationName: string | undefined): ReadDocument {
  const operation = chooseOperation(document, operationName);
  return { document, operation, cost: costOf(schema, document, operation) };
}

function refusing<Result>(plan: () => Result): Result {
  try {
    return plan();
  } catch (error) {
    if (error instanceof QueryRefused) throw error;
    if (error instanceof GraphQLError) throw new QueryRefused([error]);
    if (error instanceof Failure) throw new QueryRefused([new GraphQLError(error.message)], error.code);
    throw error;
  }
}

/** The planner has limits of its own on how much it searches; only the messages of its errors tell. */
const PLANNER_LIMIT = /exceeds limit/;

function planOf({ planner, plannerSchema }: PlanningSchema, document: DocumentNode, { name }: OperationDefinitionNode): QueryPlan {
  const operation = operationFromDocument(plannerSchema, document, name ? { operationName: name.value } : {});
  try {
    return planner.buildQueryPlan(operation);
  } catch (error) {
    if (error instanceof Error && PLANNER_LIMIT.test(error.message))
      throw fail('query_refused', {}, 'The operation is too complex to plan.');
    throw error;
  }
}

function chooseOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const chosen = name === undefined ? operations[0] : operations.find((node) => node.name?.value === name);
  if (!chosen)
    throw fail('query_refused', {}, name === undefined ? 'The document has no operation.' : `There is no operation named ${name}.`);
  if (name === undefined && operations.length > 1)
    throw fail('query_refused', {}, 'operationName must say which of the operations to run.');
  return chosen;
}
