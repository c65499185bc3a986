// Compiles a fetch of entities: what is asked of which objects, each entity once, and how its answer is added to them.
import type { FetchNode, ResponsePath } from '@apollo/query-planner';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { type Ask, type Run, at, beforeLists, compileFetch, named } from './fetch.ts';
import { type Fields, setField } from './fields.ts';
import { mergeField } from './merge.ts';
import { type Representing, compileRepresentation } from './representation.ts';
import { type Rewrites, compileRewrites } from './rewrites.ts';
import type { CommonFacts } from './same-fetches.ts';
import { type Found, type Targets, compileTargets } from './targets.ts';

/** The distinct representations of a fetch. */
interface Question {
  representations: Fields[];
  /** For each representation the objects that it stands for: a list often names the same entity several times. */
  askers: Fields[][];
  /** The same text for the same representations. */
  key: string;
}

export class EntityFetch {
  readonly #subgraph: string;
  readonly #path: ResponsePath;
  readonly #facts: CommonFacts;
  readonly #ask: Ask;
  readonly #targets: Targets;
  readonly #representing: Representing;
  readonly #input: Rewrites | undefined;
  readonly #output: Rewrites | undefined;

  constructor(node: FetchNode, schema: GraphQLSchema, path: ResponsePath, facts: CommonFacts) {
    this.#subgraph = node.serviceName;
    this.#path = path;
    this.#facts = facts;
    this.#ask = compileFetch(node, path);
    this.#targets = compileTargets(path);
    this.#representing = compileRepresentation(node.requires ?? [], schema);
    this.#input = compileRewrites(node.inputRewrites, schema);
    this.#output = compileRewrites(node.outputRewrites, schema);
  }

  async run(run: Run): Promise<void> {
    const { representations, askers, key } = this.#questionFor(this.#targets.in(run.data, run.shared), run.shared);
    if (!representations.length) return;
    const { question: common } = this.#facts;
    const answer = await this.#ask(run, representations, common === undefined ? undefined : `${common}\n${key}`);
    if (!answer) return;
    for (const error of answer.errors ?? []) this.#addErrors(run, error, askers);
    if (!answer.data) return;
    const entities = answer.data['_entities'] as (Fields | null)[] | undefined;
    if (!Array.isArray(entities) || entities.length !== representations.length) {
      throw new Error(`${this.#subgraph} answered ${representations.length} representations with another number of entities`);
    }
    for (const [place, entity] of entities.entries()) if (entity) this.#add(run, entity, askers[place] ?? []);
  }

  #questionFor(found: Found, shared: Set<unknown>): Question {
    const representations: Fields[] = [];
    const askers: Fields[][] = [];
    /** Undefined for objects of which nothing is asked. */
    const known = new Map<string, Fields[] | undefined>();
    let whole = '';
    for (const [index, target] of found.objects.entries()) {
      const key = this.#representing.key(target);
      if (key === undefined) continue;
      if (known.has(key)) {
        this.#join(known.get(key), found, index, shared);
        continue;
      }
      const representation = this.#representing.build(target);
      const asks = representation?.['__typename'] ? [target] : undefined;
      known.set(key, asks);
      if (!representation || !asks) continue;
      this.#input?.apply(representation);
      representations.push(representation);
      askers.push(asks);
      whole += `${key}\n`;
    }
    return { representations, askers, key: whole };
  }

  /** Of objects that are the same in all that is known, one is kept, at all their places: whatever is added to them later is the same too. */
  #join(asks: Fields[] | undefined, found: Found, index: number, shared: Set<unknown>): void {
    const target = found.objects[index];
    const first = asks?.[0];
    if (!asks || !first || !target) return;
    // A shared object has places beside the one where it was found.
    if (shared.has(target) || !this.#representing.isWhole(target) || !this.#representing.isWhole(first)) {
      asks.push(target);
      return;
    }
    found.replace(index, first);
    shared.add(first);
  }

  #add(run: Run, entity: Fields, targets: readonly Fields[]): void {
    this.#output?.apply(entity);
    const { flat, shareable } = this.#facts;
    const last = targets.length - 1;
    for (const key of Object.keys(entity)) {
      const value = entity[key];
      if (value === undefined) continue;
      if (flat || (last > 0 && shareable.has(key))) {
        if (!flat && typeof value === 'object' && value !== null) run.shared.add(value);
        for (const target of targets) setField(target, key, value);
      } else for (const [index, target] of targets.entries()) mergeField(target, key, value, index < last);
    }
  }

  /** The error of one entity is repeated at the place of every object that the entity stands for. */
  #addErrors(run: Run, error: GraphQLError, askers: readonly Fields[][]): void {
    const [root, place, ...inner] = error.path ?? [];
    if (root !== '_entities' || typeof place !== 'number') {
      run.errors.push(at(error, beforeLists(this.#path)));
      return;
    }
    const places = this.#targets.placesOf(new Set(askers[place]), run.data);
    for (const each of places) run.errors.push(at(error, [...each, ...named(inner, this.#output)]));
  }
}
