// What the commands on prices do in the subgraph of each seller: every one has a catalogue, and its own rows beside it.
import { withSubgraph } from '#platform/command.ts';
import type { Context } from '#platform/context.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import type { CatalogueBook } from '#commerce/catalogue/catalogue-book.ts';
import { SUBGRAPH_DEFINITIONS } from './all-subgraphs.ts';
import { CATALOGUE_FIELDS } from './catalogue-fields.ts';
import { composition } from './configuration.ts';
import type { Seller } from './schema/subgraphs.ts';

/** Everybody who sells something of the catalogue. */
export const SELLERS = Object.keys(CATALOGUE_FIELDS) as Seller[];

/** Runs `work` as `withSubgraph` for one of these sellers after the other. Stops at the first failure; false: there was one. */
export async function ofEachSeller(
  sellers: readonly Seller[],
  work: (ctx: Context<{ catalogue: CatalogueBook }>, refuse: (sentence: string) => Error, seller: Seller) => Promise<void>,
): Promise<boolean> {
  for (const seller of sellers) {
    const definition = SUBGRAPH_DEFINITIONS[seller] as unknown as SubgraphDefinition<{ catalogue: CatalogueBook }>;
    await withSubgraph(definition, composition, (ctx, refuse) => work(ctx, refuse, seller));
    if (process.exitCode) return false;
  }
  return true;
}
