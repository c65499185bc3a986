// The subgraphs by name: the one list, which contracts, database roles, addresses and definitions go by.
export const SUBGRAPHS = ['accounts', 'residential', 'static', 'compute'] as const;

/** As the contract, the database schema and the folder are called. */
export type SubgraphName = (typeof SUBGRAPHS)[number];

/** Those that price and deliver; accounts sells what they have signed. */
export type Seller = Exclude<SubgraphName, 'accounts'>;
