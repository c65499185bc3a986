import { builder } from '../../builder.ts';
import { type GenerationPreset, LINE_FORMATS } from '../domain/generation-preset.ts';
import { listPresets, removePreset, savePreset } from '../services/generation-presets.ts';
import { ProxyGenerateInput, generationFields } from './proxy-batch.ts';

const ProxyLineFormat = builder.enumType('ProxyLineFormat', { values: LINE_FORMATS });

const GenerationPresetType = builder.objectRef<GenerationPreset>('GenerationPreset').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    ...generationFields(t),
    quantity: t.exposeInt('quantity'),
    format: t.expose('format', { type: ProxyLineFormat }),
    savedAt: t.expose('savedAt', { type: 'DateTime' }),
  }),
});

builder.queryField('generationPresets', (t) =>
  t.field({
    type: [GenerationPresetType],
    nullable: true,
    authScopes: { account: 'generate' },
    resolve: (_root, _args, ctx) => listPresets(ctx),
  }),
);

builder.mutationFields((t) => ({
  generationPresetSave: t.field({
    type: [GenerationPresetType],
    authScopes: { account: 'generate' },
    args: {
      planId: t.arg.id({ required: true }),
      name: t.arg.string({ required: true }),
      input: t.arg({ type: ProxyGenerateInput, required: true }),
      format: t.arg({ type: ProxyLineFormat, required: true, defaultValue: 'HOST_FIRST' }),
    },
    resolve: (_root, { planId, ...given }, ctx) => savePreset(ctx, planId, given),
  }),
  generationPresetRemove: t.field({
    type: [GenerationPresetType],
    authScopes: { account: 'generate' },
    args: { name: t.arg.string({ required: true }) },
    resolve: (_root, { name }, ctx) => removePreset(ctx, name),
  }),
}));
