// What tests of compute read in its tables.
import type { Query } from '../../kit/tables.ts';

export const computeTables = (query: Query) => ({
  /** Machines that are somebody's. */
  machinesInUse: () => query<{ name: string }>('select name from compute.bare_metal where server_id is not null'),
  addressesInUse: () => query<{ ip: string }>('select host(ip) as ip from compute.address where server_id is not null'),
  /** Addresses of nobody that may not be given out yet. */
  addressesAtRest: (at: Date) =>
    query<{ ip: string }>('select host(ip) as ip from compute.address where server_id is null and rests_until > $1', [at]),
});
