// Action verdicts in the graph: one shareable type for plans, nodes, subscriptions and servers. All subgraphs must declare it alike, or the graph does not
// compose.
import type { ActionVerdict } from './action-verdict.ts';
import type { Context } from './context.ts';
import { sentenceOf } from './errors.ts';
import type { createBuilder } from './schema-builder.ts';

/** The type AvailableAction of the builder's subgraph; once per builder. */
export const declareAvailableAction = <Ctx extends Pick<Context, 'viewer'>>(builder: ReturnType<typeof createBuilder<Ctx>>) =>
  builder.objectRef<ActionVerdict>('AvailableAction').implement({
    shareable: true,
    fields: (t) => ({
      action: t.exposeString('action'),
      allowed: t.exposeBoolean('allowed'),
      reason: t.string({ nullable: true, resolve: ({ reason }) => reason && sentenceOf(reason) }),
      reasonCode: t.string({ nullable: true, resolve: ({ reason }) => reason && reason.code }),
      params: t.field({ type: 'Params', nullable: true, resolve: ({ reason }) => reason && reason.params }),
    }),
  });
