// The node that `npm start` runs beside the platform, with the demo's exits and target, and a plan.
import { unseal } from '#platform/sealing.ts';
import type { Plan } from '../../subgraphs/residential/plans/domain/plan.ts';
import type { Edge } from '../../edge/edge.ts';
import { createPlansControl } from '../../subgraphs/residential/edge-control.ts';
import { type OwnEdgeOptions, startOwnEdge } from '../../own-edge.ts';
import { type ResidentialWorld, startResidential } from '../subgraphs/residential/world.ts';
import { type TargetSite, startTargetSite } from '../../sandbox/site/target-site.ts';

export interface OwnEdgeWorld {
  world: ResidentialWorld;
  site: TargetSite;
  /** HTTP on its first port, SOCKS5 on its second. */
  edge: Edge;
  plan: Plan;
  /** The plan's password, in plain text. */
  password: string;
  close(): Promise<void>;
}

interface Given extends Partial<Pick<OwnEdgeOptions, 'secure' | 'ports' | 'exitsFile' | 'demoTarget'>> {
  /** The platform's. */
  environment?: Record<string, string>;
}

/** `secure`: where customers speak TLS to the node; `demoTarget`: another target than the site. */
export async function startOwnEdgeWorld({ environment, secure, ports = [0, 0], exitsFile, demoTarget }: Given = {}): Promise<OwnEdgeWorld> {
  const world = await startResidential(environment);
  const site = await startTargetSite();
  const { notifications, log, config, secrets } = world.platform;
  const edge = await startOwnEdge({
    context: world.context,
    control: { plans: createPlansControl({ context: world.context, notifications }) },
    log,
    host: '127.0.0.1',
    ports,
    exitsFile,
    dataDir: config.DATA_DIR,
    demoTarget: demoTarget ?? site.endpoint,
    production: false,
    secure,
  });
  const plan = await world.plan('acct_1');
  return {
    world,
    site,
    edge,
    plan,
    password: unseal(plan.passwordSealed, secrets.sealing, plan.id),
    async close() {
      await edge.close();
      await site.close();
      await world.close();
    },
  };
}
