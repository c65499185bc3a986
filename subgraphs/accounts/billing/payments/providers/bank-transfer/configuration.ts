// What is read of the configuration to take bank transfers.
import { configPart } from '#platform/config.ts';
import { addressLines } from '#platform/config-values.ts';

export const bankConfiguration = configPart({
  BANK_DETAILS: [
    addressLines.optional(),
    'the bank account that transfers go to, lines separated by semicolons; without it support sends it to each buyer',
  ],
});
