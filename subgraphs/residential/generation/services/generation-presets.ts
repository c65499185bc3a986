// What an owner keeps of the form for generation. Nothing of a plan changes by it.
import { accountOf } from '#platform/context.ts';
import { because, fail } from '#platform/errors.ts';
import { readPlan } from '../../plans/services/read-plans.ts';
import type { Context } from '../context.ts';
import { type GenerateInput, checkGeneration } from '../domain/generation.ts';
import { type GenerationPreset, type LineFormat, PRESETS_MAX, checkPresetName } from '../domain/generation-preset.ts';
import { deletePreset, presetsOf, storePreset } from '../entities/generation-preset.ts';

export const listPresets = (ctx: Context): Promise<GenerationPreset[]> => presetsOf(ctx.em, accountOf(ctx));

/**
 * Keeps choices that are valid for a plan under a name, in the place of those that had it. Throws `plan_not_found`, `parameter_invalid` (the name, or too many
 * presets), and what `checkGeneration` throws.
 */
export async function savePreset(
  ctx: Context,
  planId: string,
  { name: typed, input, format }: { name: string; input: GenerateInput; format: LineFormat },
): Promise<GenerationPreset[]> {
  const name = checkPresetName(typed);
  const plan = await readPlan(ctx, planId);
  const preset = {
    name,
    input: checkGeneration(input, ctx.providers.products[plan.product], ctx.viewer.kind),
    quantity: input.quantity,
    format,
    savedAt: ctx.clock.now(),
  };
  if (!(await storePreset(ctx.em, accountOf(ctx), preset)))
    throw fail('parameter_invalid', { field: 'name', reason: because('presets_too_many', { max: PRESETS_MAX }) });
  return listPresets(ctx);
}

/** Removes a preset; without one of this name nothing changes, as after a second press. */
export async function removePreset(ctx: Context, name: string): Promise<GenerationPreset[]> {
  await deletePreset(ctx.em, accountOf(ctx), name);
  return listPresets(ctx);
}
