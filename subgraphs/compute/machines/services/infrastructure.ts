// What the operator sees of the nodes of VPS: how many more machines fit on each, addresses, and remains of failed machines.
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import type { MachinesContext } from '../context.ts';
import { VPS_PLAN_CODES, vpsSize } from '../../catalogue/domain/vps-plan.ts';
import { addressFigures } from '../../networking/entities/address.ts';
import { fits, roomOf } from '../domain/placement.ts';
import { type NodeRow, failedPlacements, setMaintenance } from '../entities/placement.ts';
import { HypervisorTrouble } from '../providers/hypervisor.ts';
import type { Cluster } from '../providers/cluster-book.ts';
import { lookAtNodes, roomTerms } from './placement.ts';

/** The greatest age of figures that are shown. */
const LOOK_MS = 10_000;

export interface NodeView extends NodeRow {
  left: ReturnType<typeof roomOf>;
  fits: { plan: (typeof VPS_PLAN_CODES)[number]; machines: number }[];
}

/** `silence`: why the hypervisor cannot be reached now; the figures that were read last are shown then. */
export async function nodesView(ctx: MachinesContext): Promise<{ nodes: NodeView[]; silence: string | null; filters: boolean | null }> {
  const terms = roomTerms(ctx);
  let silence: string | null = null;
  let filters: boolean | null = null;
  const rows = await lookAtNodes(ctx, LOOK_MS)
    .then(async (nodes) => {
      const answers = await Promise.allSettled(
        (await clustersOf(ctx)).filter(({ silentSince }) => !silentSince).map(({ hypervisor }) => hypervisor.filters()),
      );
      filters = answers.every((answer) => answer.status === 'rejected' || answer.value);
      return nodes;
    })
    .catch((error: unknown) => {
      if (!(error instanceof HypervisorTrouble)) throw error;
      silence = error.message;
      return lookAtNodes(ctx, Number.MAX_SAFE_INTEGER / 2);
    });
  const nodes = rows.map((node) => ({
    ...node,
    left: roomOf(node, terms),
    fits: VPS_PLAN_CODES.map((plan) => {
      const size = vpsSize(plan);
      return { plan, machines: size ? fits(node, size, terms) : 0 };
    }),
  }));
  const silent = (await clustersOf(ctx)).filter(({ silentSince }) => silentSince);
  return { nodes, silence: silence ?? (silent.map(({ trouble }) => trouble).join(' ') || null), filters };
}

/** Machines that could not be made lately, and whether anything of them is left; the newest first. */
export const remains = ({ em }: MachinesContext) => failedPlacements(em, 100);

export async function addressesView({ em, clock, providers }: MachinesContext, terms = providers.datacenter?.terms) {
  if (!terms) return null;
  const { addresses, gateway } = terms;
  return { ...addresses, gateway, ...(await addressFigures(em, clock.now(), addresses)) };
}

const clustersOf = async ({ providers }: MachinesContext): Promise<Cluster[]> => (await providers.datacenter?.clusters.all()) ?? [];

/** Sets a node's maintenance: no new machine is placed on a node in maintenance; those that are there stay until its operator moves them. Errors: hypervisor_node_not_found. */
export async function setNodeMaintenance(ctx: MachinesContext, name: string, inMaintenance: boolean): Promise<void> {
  if (!(await inTransaction(ctx, ({ em }) => setMaintenance(em, name, inMaintenance)))) throw fail('hypervisor_node_not_found');
}
