// The configuration for exporting the books in the form that tax advisers use.
import { configPart } from '#platform/config.ts';
import { pairs } from '#platform/config-values.ts';
import { LEDGERS, type Ledger } from '../ledger/domain/ledger.ts';
import type { DatevTerms } from './domain/posting-batch.ts';

const NUMBER = /^\d{1,9}$/;

/** Reads "consultant=29098,client=55003,BANK=1800,REVENUE=4400": the numbers of the adviser and the client, and the account number of each ledger. */
const datev = pairs.transform((given, context): DatevTerms => {
  const { consultant, client, ...accounts } = given;
  const isFit = Object.values(given).every((number) => NUMBER.test(number)) && Object.keys(accounts).every((name) => name in LEDGERS);
  if (!isFit || !consultant || !client)
    context.addIssue({
      code: 'custom',
      message: `must be consultant=..., client=... and a number for each of ${Object.keys(LEDGERS).join(', ')}`,
    });
  const numbers = Object.fromEntries(Object.entries(accounts).map(([ledger, number]) => [ledger, Number(number)]));
  return { consultant: Number(consultant), client: Number(client), accounts: numbers as Partial<Record<Ledger, number>> };
});

export const financeConfiguration = configPart({
  DATEV: [
    datev.optional(),
    'consultant=29098,client=55003 and LEDGER=account pairs of the ledgers that have moved: allows exports for DATEV',
  ],
});
