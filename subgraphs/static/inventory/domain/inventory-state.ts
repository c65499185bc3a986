// The states of an address of the inventory, and what support may do with it in each.
export const INVENTORY_STATES = ['FREE', 'HELD', 'SOLD', 'RESTING', 'RESERVED', 'RETIRED'] as const;
export type InventoryState = (typeof INVENTORY_STATES)[number];

export const INVENTORY_ACTIONS = ['RESERVE', 'RETIRE', 'RETURN'] as const;
/** RETURN puts a reserved or retired address back on sale. */
export type InventoryAction = (typeof INVENTORY_ACTIONS)[number];

type Refusal =
  | 'address_for_sale'
  | 'address_held'
  | 'address_reserved'
  | 'address_rests'
  | 'address_retired'
  | 'address_sold'
  | 'address_sold_exchange';

/** The reason for a refusal, by state; absent: allowed. */
const REFUSALS: Record<InventoryAction, Partial<Record<InventoryState, Refusal>>> = {
  RESERVE: {
    SOLD: 'address_sold_exchange',
    HELD: 'address_held',
    RESERVED: 'address_reserved',
    RETIRED: 'address_retired',
  },
  RETIRE: {
    SOLD: 'address_sold_exchange',
    HELD: 'address_held',
    RETIRED: 'address_retired',
  },
  RETURN: {
    FREE: 'address_for_sale',
    HELD: 'address_for_sale',
    SOLD: 'address_sold',
    RESTING: 'address_rests',
  },
};

export const refusalOf = (action: InventoryAction, state: InventoryState): Refusal | undefined => REFUSALS[action][state];
