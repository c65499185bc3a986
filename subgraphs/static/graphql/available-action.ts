import { builder } from '../builder.ts';

export const AvailableAction = builder.objectRef<{ action: string; allowed: boolean; reason: string | null }>('AvailableAction').implement({
  shareable: true,
  fields: (t) => ({
    action: t.exposeString('action'),
    allowed: t.exposeBoolean('allowed'),
    reason: t.exposeString('reason', { nullable: true }),
  }),
});
