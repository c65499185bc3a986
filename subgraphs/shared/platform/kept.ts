// The tables of the platform itself, beside those of its subgraphs.
import type { KeptTable } from './kept-data.ts';

const EVENTS = 'for good: numbers of accounts and things, and amounts; no name, no address';

export const kept: readonly KeptTable[] = [
  { table: 'platform.backup', kept: 'for good', key: ['taken_at'] },
  { table: 'platform.backup_log', kept: 'for good', key: ['only_row'] },
  { table: 'platform.cursor', kept: 'for good', key: ['reader'] },
  { table: 'platform.dead_letter', kept: 'until it is driven again', key: ['position'] },
  { table: 'platform.event', holds: 'what has happened, by the number of its account', kept: EVENTS, key: ['tx', 'id'] },
  { table: 'platform.event_base', kept: 'for good', key: ['only_row'] },
  { table: 'platform.event_order', kept: EVENTS, key: ['position'] },
  { table: 'platform.event_pending', kept: 'seconds', key: ['event_id'] },
  { table: 'platform.schema_need', kept: 'for good', key: ['migration'] },
  { table: 'platform.secret_check', kept: 'for good', key: ['subgraph', 'key_id'] },
];
