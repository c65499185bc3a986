import { builder } from '../../builder.ts';
import { LINE_REFUSALS } from '../domain/usage-report.ts';
import { ResidentialProductCode } from '../../plans/graphql/residential-product.ts';
import { type UsageReceipt, receiveUsageReport } from '../services/receive-usage-report.ts';

const UsageReportLineInput = builder.inputType('UsageReportLineInput', {
  fields: (t) => ({
    line: t.int({ required: true }),
    username: t.string({ required: true }),
    upBytes: t.field({ type: 'Bytes', required: true }),
    downBytes: t.field({ type: 'Bytes', required: true }),
    at: t.field({ type: 'DateTime', required: true }),
    country: t.string(),
    session: t.string(),
    host: t.string(),
    client: t.string(),
  }),
});

const UsageLineRefusal = builder.objectRef<UsageReceipt['refused'][number]>('UsageLineRefusal').implement({
  inaccessible: true,
  fields: (t) => ({
    line: t.exposeInt('line'),
    code: t.exposeString('code'),
    message: t.string({ resolve: ({ code }) => LINE_REFUSALS[code] }),
  }),
});

const UsageReportReceipt = builder.objectRef<UsageReceipt>('UsageReportReceipt').implement({
  inaccessible: true,
  fields: (t) => ({
    counted: t.exposeInt('counted'),
    repeated: t.exposeInt('repeated'),
    unknown: t.exposeInt('unknown'),
    quarantined: t.exposeInt('quarantined'),
    refused: t.field({ type: [UsageLineRefusal], resolve: ({ refused }) => refused }),
  }),
});

builder.mutationField('usageReportReceive', (t) =>
  t.field({
    type: UsageReportReceipt,
    inaccessible: true,
    authScopes: { system: true },
    args: {
      source: t.arg.string({ required: true }),
      reportId: t.arg.string({ required: true }),
      lines: t.arg({ type: [UsageReportLineInput], required: true }),
      products: t.arg({ type: [ResidentialProductCode] }),
    },
    resolve: (_root, report, ctx) => receiveUsageReport(ctx, report),
  }),
);
