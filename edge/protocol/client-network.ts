// Networks that customers' tools log in from without a password: what the platform tells its nodes of each.
import { z } from 'zod';

export const clientNetworkShape = z.object({
  id: z.string(),
  /** CIDR of one family, its host bits zero. */
  network: z.string(),
  /** What a line from there would say: the plan's username and where it leaves from. */
  username: z.string(),
});
export type ClientNetwork = z.output<typeof clientNetworkShape>;

export const CLIENT_NETWORKS_ANSWER = z.array(clientNetworkShape);
