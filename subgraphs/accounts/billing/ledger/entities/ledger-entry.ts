import { defineEntity } from '@mikro-orm/core';
import type { Ledger } from '../domain/ledger.ts';

export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: (p) => ({
    journalId: p.string().primary(),
    line: p.integer().primary(),
    ledger: p.string().$type<Ledger>(),
    accountId: p.string().nullable(),
    currency: p.string(),
    amountMinor: p.bigint('number'),
  }),
});
