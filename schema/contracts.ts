// The contracts as text: those written by hand, one for each subgraph, and what compose.ts makes of them.
import { readFileSync } from 'node:fs';
import { SUBGRAPHS, type SubgraphName } from './subgraphs.ts';

export const contractFile = (name: string): URL => new URL(`./${name}.graphql`, import.meta.url);
const read = (name: string) => readFileSync(contractFile(name), 'utf8');

/** The contract of one subgraph, as written by hand. */
export const contractOf = (name: SubgraphName): string => read(name);

/** Subgraph -> its contract, in the order of the list. */
export type Contracts = Readonly<Record<string, string>>;

/** The contracts of the files. */
export const writtenContracts = (): Contracts => Object.fromEntries(SUBGRAPHS.map((name) => [name, contractOf(name)]));

/** The committed supergraph that the gateway loads. */
export const supergraphSdl = (): string => read('supergraph');

/** The committed public API: what customers see, without federation's and the gateway's own parts. */
export const apiSdl = (): string => read('api');

/** The API as it was last published, with the directives that say who may ask for a field; what it has must stay. */
export const publishedSdl = (): string => read('published');

/** The committed public API as the dashboard's pages read it. */
export const pagesSdl = (): string => read('pages');
