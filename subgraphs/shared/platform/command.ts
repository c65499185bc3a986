// Runs an operator's command beside, or without, a running platform: the same database and use cases, no workers.
import type { Composition } from './composition.ts';
import { openConfiguredDatabase } from './configured-database.ts';
import type { Context } from './context.ts';
import { type EntityManager, openDatabase } from './database.ts';
import { environment } from './environment.ts';
import { createLog } from './log.ts';
import { Failure } from './errors.ts';
import { openPlatform } from './platform.ts';
import { secretsOf } from './secrets.ts';
import { sentenceOf } from './start-failure.ts';
import { type SubgraphDefinition, openSubgraph } from './subgraph.ts';

class Refusal extends Error {}

/** Runs `work` and sets the exit code: 0, or 1 with one sentence on standard error. `refuse` makes the error for wrong arguments. */
export async function withSubgraph<Providers>(
  definition: SubgraphDefinition<Providers>,
  { readConfig, vendorsOf }: Composition,
  work: (ctx: Context<Providers>, refuse: (sentence: string) => Error) => Promise<void>,
): Promise<void> {
  const closings: (() => Promise<void>)[] = [];
  try {
    const config = readConfig(environment());
    const { url, stop } = await openConfiguredDatabase(config);
    closings.push(stop);
    const platform = await openPlatform(config, url, vendorsOf(config, secretsOf(config)));
    closings.push(platform.close);
    const subgraph = await openSubgraph(platform, definition, { patient: true });
    closings.push(subgraph.close);
    await work(subgraph.systemContext('command'), (sentence) => new Refusal(sentence));
  } catch (error) {
    process.stderr.write(`${error instanceof Refusal || error instanceof Failure ? error.message : sentenceOf(error)}\n`);
    process.exitCode = 1;
  } finally {
    for (const close of closings.reverse()) await close();
  }
}

/** Runs `work` as the owner of the migrated database, who may act as every subgraph (`actAs`). Throws as `openConfiguredDatabase`, and what `work` throws. */
export async function withOwner({ readConfig }: Composition, work: (em: EntityManager) => Promise<void>): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const config = readConfig(environment());
  const { url, stop } = await openConfiguredDatabase(config);
  opened.defer(stop);
  const log = createLog(config.LOG_LEVEL);
  const orm = await openDatabase({ url, entities: [], pool: 1, waitMs: config.DATABASE_WAIT_MS, log, patient: true });
  opened.defer(() => orm.close());
  await work(orm.em.fork() as EntityManager);
}
