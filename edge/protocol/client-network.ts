// Networks of customers that log in without a password, as the platform describes them to its nodes.
import { z } from 'zod';

export const clientNetworkShape = z.object({
  id: z.string(),
  /** CIDR of one family, its host bits zero. */
  network: z.string(),
  /** The username for lines from there: the plan's, with the place. */
  username: z.string(),
});
export type ClientNetwork = z.output<typeof clientNetworkShape>;

/** An entry of a plan's list as such, without what it lets in to. */
export const listedNetworkShape = clientNetworkShape.omit({ username: true });
export type ListedNetwork = z.output<typeof listedNetworkShape>;

export const CLIENT_NETWORKS_ANSWER = z.array(clientNetworkShape);
