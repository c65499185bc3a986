// What a Terraform provider does with the API of servers: those that are declared are ordered, renamed and cancelled, and nothing is done twice.
import type { EgressClient, GetVpsOfferInput, Server } from '../../../rest-adapter/client/index.ts';

/** By their host names. */
export type DeclaredServers = Readonly<Record<string, Pick<GetVpsOfferInput, 'plan' | 'os'> & { name?: string }>>;

/** What is kept between runs: the order of each host name. */
export type State = Map<string, string>;

interface Step {
  says: string;
  run(): Promise<unknown>;
}

const isThere = ({ kind, state, cancel_at_period_end: isCancelled }: Server): boolean =>
  kind === 'vps' && state !== 'removed' && !isCancelled;

export async function planServers(client: EgressClient, declared: DeclaredServers, state: State): Promise<Step[]> {
  const steps: Step[] = [];
  const there = new Map<string, Server>();
  for await (const server of client.eachServer({ kind: 'vps' })) if (isThere(server)) there.set(server.hostname, server);
  for (const [hostname, { name = hostname, ...terms }] of Object.entries(declared)) {
    const server = there.get(hostname);
    if (!server) {
      if (state.has(hostname)) continue;
      const run = async () => {
        const { offer } = await client.getVpsOffer({ ...terms, months: 1, hostname });
        const { order } = await client.placeOrder({ offer });
        state.set(hostname, order.order_id);
      };
      steps.push({ says: `create ${hostname}`, run });
    } else if (server.name !== name)
      steps.push({ says: `change ${hostname}`, run: () => client.changeServer({ server_id: server.server_id, name }) });
  }
  for (const [hostname, { server_id }] of there) {
    if (Object.hasOwn(declared, hostname)) continue;
    const run = async () => {
      await client.cancelServer({ server_id });
      state.delete(hostname);
    };
    steps.push({ says: `destroy ${hostname}`, run });
  }
  return steps;
}

/** Does what is planned, and tells what that was. */
export async function applyServers(client: EgressClient, declared: DeclaredServers, state: State): Promise<string[]> {
  const steps = await planServers(client, declared, state);
  for (const { run } of steps) await run();
  return steps.map(({ says }) => says);
}
