// Generation of proxy lines. Spec, GET /v1/residential/{product_id}/proxies; generating consumes no bandwidth.
import { LINE_PROTOCOLS, type LineProtocol } from '#lines/line-protocol.ts';
import { because, fail } from '#platform/errors.ts';
import { isImpersonating, secretFor } from '#platform/identity.ts';
import { newId } from '#platform/ids.ts';
import { unseal } from '#platform/sealing.ts';
import { type GenerateInput, type Generation, checkGeneration } from '../domain/generation.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { requireAction } from '../../plans/domain/plan-actions.ts';
import { type ProxyAddress, proxyText } from '../domain/proxy-lines.ts';
import { takeBatch } from '../entities/proxy-batch.ts';
import type { Context } from '../context.ts';
import { readPlan } from '../../plans/services/read-plans.ts';

export interface GeneratedBatch {
  id: string;
  count: number;
  text: string;
}

/** Throws `plan_not_found`, `plan_expired`, and what `checkGeneration` throws. */
async function admitGeneration(ctx: Context, planId: string, input: GenerateInput): Promise<{ plan: Plan; generation: Generation }> {
  const plan = await readPlan(ctx, planId);
  const product = ctx.providers.products[plan.product];
  requireAction('generate', plan, product);
  const generation = checkGeneration(input, product, ctx.viewer.kind);
  addressFor(ctx, generation.protocol);
  return { plan, generation };
}

/** Throws `parameter_invalid` for a protocol that no node takes. */
function addressFor({ providers: { proxies } }: Pick<Context, 'providers'>, protocol: LineProtocol): ProxyAddress {
  const address = proxies[protocol];
  if (!address) {
    const allowed = LINE_PROTOCOLS.filter((one) => proxies[one]).map((one) => one.toLowerCase());
    throw fail('parameter_invalid', { field: 'type', allowed, reason: because('protocol_not_offered', { protocol }) });
  }
  return address;
}

/** The text of a batch. The same arguments give the same text, byte for byte. */
export function batchText(
  ctx: Context,
  plan: Plan,
  batch: { input: Generation; count: number; sessionStart: number | null; passwordSealed: Buffer },
): string {
  const { viewer, providers } = ctx;
  const { target, protocol, sessionMinutes } = batch.input;
  const credentials = {
    username: plan.username,
    password: secretFor(viewer, () => unseal(batch.passwordSealed, providers.secrets.sealing, plan.id)),
  };
  const sessions =
    batch.sessionStart === null ? undefined : { minutes: sessionMinutes, start: batch.sessionStart, stride: plan.sessionStride };
  return proxyText(addressFor(ctx, protocol), credentials, target, batch.count, sessions);
}

export async function generateProxies(ctx: Context, planId: string, input: GenerateInput): Promise<GeneratedBatch> {
  // This is a query, but it takes session numbers: an impersonation, which may only read, must not run it.
  if (isImpersonating(ctx.viewer)) throw fail('impersonation_reads_only');
  const { plan, generation } = await admitGeneration(ctx, planId, input);
  const id = newId('batch', ctx.clock);
  const count = input.quantity;
  const apiKeyId = ctx.viewer.kind === 'key' ? ctx.viewer.keyId : null;
  const seed = await takeBatch(ctx.em, { id, planId: plan.id, count, input: generation, apiKeyId }, ctx.clock.now());
  return { id, count, text: batchText(ctx, plan, { ...seed, input: generation, count }) };
}

/** The first line that a generation would give now. Nothing is stored and no session number is taken. */
export async function previewProxy(ctx: Context, planId: string, input: GenerateInput): Promise<string> {
  const { plan, generation } = await admitGeneration(ctx, planId, input);
  const sessionStart = generation.session === 'STICKY' ? plan.sessionNext : null;
  return batchText(ctx, plan, { input: generation, count: 1, sessionStart, passwordSealed: plan.passwordSealed });
}
