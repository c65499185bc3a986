import { builder } from '../../builder.ts';
import type { ServerLabel as ServerLabelShape } from '../domain/server-label.ts';

export const ServerLabel = builder.objectRef<ServerLabelShape>('ServerLabel').implement({
  fields: (t) => ({ key: t.exposeString('key'), value: t.exposeString('value') }),
});

export const ServerLabelInput = builder.inputType('ServerLabelInput', {
  fields: (t) => ({ key: t.string({ required: true }), value: t.string({ required: true }) }),
});
