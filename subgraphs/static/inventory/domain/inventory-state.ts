// Where an address of the inventory stands, and what support may do with it then.
export const INVENTORY_STATES = ['FREE', 'HELD', 'SOLD', 'RESTING', 'RESERVED', 'RETIRED'] as const;
export type InventoryState = (typeof INVENTORY_STATES)[number];

export const INVENTORY_DEEDS = ['RESERVE', 'RETIRE', 'RETURN'] as const;
/** RETURN: to sale, from being reserved or retired. */
export type InventoryDeed = (typeof INVENTORY_DEEDS)[number];

/** Why not, by state; absent: it can be done. */
const REFUSALS: Record<InventoryDeed, Partial<Record<InventoryState, string>>> = {
  RESERVE: {
    SOLD: 'is sold: exchange it first',
    HELD: 'is held for an order or an exchange: try again later',
    RESERVED: 'is kept back already',
    RETIRED: 'is retired',
  },
  RETIRE: {
    SOLD: 'is sold: exchange it first',
    HELD: 'is held for an order or an exchange: try again later',
    RETIRED: 'is retired already',
  },
  RETURN: {
    FREE: 'is for sale already',
    HELD: 'is for sale already',
    SOLD: 'is sold',
    RESTING: 'rests, and is for sale afterwards',
  },
};

export const refusalOf = (deed: InventoryDeed, state: InventoryState): string | undefined => REFUSALS[deed][state];
