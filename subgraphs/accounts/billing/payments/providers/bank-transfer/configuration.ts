// The configuration of bank transfers.
import { configPart } from '#platform/config.ts';
import { addressLines, count } from '#platform/config-values.ts';
import { z } from 'zod';

export const bankConfiguration = configPart({
  BANK_DETAILS: [
    addressLines.optional(),
    'the bank account that transfers go to, lines separated by semicolons; without it support sends it to each buyer',
  ],
  TRANSFER_SHORTFALL_MAX: [
    count(0).default(1),
    'USD that may be missing of a transfer, because a bank on the way kept them: the order is paid all the same; 0: nothing',
  ],
  TRANSFER_SHORTFALL_PERCENT: [
    z.coerce.number().min(0).max(10).default(0.5),
    'the most of what was due, in percent, that may be missing so; the smaller of both holds',
  ],
});
