// The configuration of disputes.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { FREEZES } from './domain/dispute.ts';

export const disputesConfiguration = configPart({
  DISPUTE_FREEZE: [
    z.enum(FREEZES).default('opened'),
    'from when on what was bought stands still for a dispute: `opened`, `lost` or `never`',
  ],
});
