// An account's copy of its data in the graph: one shareable type for all subgraphs. All must declare it alike, or the graph does not compose.
import { type Context, accountOf } from './context.ts';
import { fail } from './errors.ts';
import { isImpersonating } from './identity.ts';
import { type KeptPage, type KeptTable, keptPage } from './kept-data.ts';
import type { createBuilder } from './schema-builder.ts';
import { requirePermission } from './staff-rights.ts';
import { withTrail } from './staff-trail.ts';

/** Declares the type DataPage, and the query `field`. Call it once per builder. Errors: permission_missing, forbidden, parameter_invalid. */
export function declareKeptData<Ctx extends Context>(
  builder: ReturnType<typeof createBuilder<Ctx>>,
  field: string,
  tables: readonly KeptTable[],
): void {
  const DataPage = builder.objectRef<KeptPage>('DataPage').implement({
    shareable: true,
    fields: (t) => ({
      table: t.exposeString('table'),
      rows: t.exposeStringList('rows'),
      next: t.exposeString('next', { nullable: true }),
    }),
  });
  const resolve = async (
    ctx: Ctx,
    { accountId = null, after }: { accountId?: string | null; after?: string | null },
  ): Promise<KeptPage> => {
    if (isImpersonating(ctx.viewer)) throw fail('impersonation_reads_only');
    const whose = accountId ?? accountOf(ctx);
    const read = async () => {
      const page = await keptPage(ctx.em, tables, { accountId: whose, after });
      if (!page) throw fail('parameter_invalid', { field: 'after' });
      return page;
    };
    if (whose === accountOf(ctx)) return read();
    requirePermission(ctx.viewer, 'data_copy');
    return after ? read() : withTrail(ctx, { act: field, permission: 'data_copy', given: { accountId } }, read);
  };
  builder.queryField(field, (t) =>
    t.field({
      type: DataPage,
      authScopes: { session: true },
      args: { accountId: t.arg.id(), after: t.arg.string() },
      resolve: (_root: unknown, args: { accountId?: string | null; after?: string | null }, ctx: Ctx) => resolve(ctx, args) as never,
    }),
  );
}
