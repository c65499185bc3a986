// The tables of the platform itself, beside those of its subgraphs.
import { daysOf } from '../../../schema/retention.ts';
import type { KeptTable } from './kept-data.ts';

const EVENTS = `${daysOf('events')}: ids of accounts and resources, and amounts; no names, no addresses`;

export const kept: readonly KeptTable[] = [
  { table: 'platform.backup', kept: 'for good', key: ['taken_at'] },
  { table: 'platform.backup_log', kept: 'for good', key: ['only_row'] },
  { table: 'platform.cursor', kept: 'for good', key: ['reader'] },
  {
    table: 'platform.dead_letter',
    holds: 'an event that could not be handled, with the id of the account',
    kept: 'until a retry has handled it',
    key: ['position'],
  },
  { table: 'platform.event', holds: 'what happened, with the id of the account', kept: EVENTS, key: ['tx', 'id'] },
  { table: 'platform.event_base', kept: 'for good', key: ['only_row'] },
  { table: 'platform.event_order', kept: EVENTS, key: ['position'] },
  { table: 'platform.event_pending', kept: 'seconds', key: ['event_id'] },
  { table: 'platform.schema_need', kept: 'for good', key: ['migration'] },
  { table: 'platform.secret_check', kept: 'for good', key: ['subgraph', 'key_id'] },
];
