// Checks that the vendors' systems on which servers are made and reached are set up as compute needs them.
import { type CheckMode, type Finding, type VendorFinding, findingsOf } from '#platform/vendor-check.ts';
import type { ComputeContext } from './providers.ts';
import { OPERATING_SYSTEMS } from './catalogue/domain/operating-system.ts';
import { type BareMetalRow, allMachines } from './machines/entities/bare-metal.ts';
import { vendorOf } from './machines/domain/cluster.ts';
import { controllerOf } from './machines/services/controller.ts';

/** How many controllers are queried at the same time. */
const CONCURRENCY = 8;
const IMAGES = Object.values(OPERATING_SYSTEMS).map(({ image }) => image);

/** We set up nothing at these vendors: in mode `setUp` there is nothing to do. */
export async function checks(ctx: ComputeContext, mode: CheckMode): Promise<VendorFinding[]> {
  if (mode === 'setUp') return [];
  const { datacenter, reverseDns, border, metal } = ctx.providers;
  const found: VendorFinding[] = [];
  const machines = await allMachines(ctx.em);
  const clusters = (await datacenter?.clusters.all()) ?? [];
  const ends = clusters.flatMap(({ terms: { addresses: range } }) => [range.first, range.last]);
  const addresses = new Set([...ends, ...machines.map(({ ip }) => ip)]);
  for (const { name, hypervisor } of clusters) found.push(...(await findingsOf(vendorOf(name), () => hypervisor.check(IMAGES))));
  if (reverseDns) found.push(...(await findingsOf('names', () => reverseDns.check([...addresses]))));
  if (border) found.push(...(await findingsOf('router', border.check)));
  if (metal) found.push(...(await findingsOf('controllers', () => lookAtControllers(ctx, machines))));
  return found;
}

/** Queries all controllers: those that do not answer are named, the others counted. */
async function lookAtControllers(ctx: ComputeContext, machines: readonly BareMetalRow[]): Promise<Finding[]> {
  const waiting = [...machines];
  const troubled: Finding[] = [];
  let answered = 0;
  const lane = async () => {
    for (let machine = waiting.shift(); machine; machine = waiting.shift()) {
      const ref = controllerOf(ctx, machine);
      if (!ref) continue;
      try {
        await ctx.providers.metal?.bareMetal.inspect(ref);
        answered++;
      } catch (error) {
        troubled.push({ what: machine.name, ok: false, words: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return [{ what: 'answer', ok: true, words: `${answered} of ${answered + troubled.length}` }, ...troubled];
}
