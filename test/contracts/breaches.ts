// Known breaches of house rules, by the rule's title. The list may only shrink: the commit that fixes a breach removes it here.
export const BREACHES: Readonly<Record<string, readonly string[]>> = {};

/**
 * Allowed import cycles between folders. A proxy node's folder also contains its protocol with the platform, so that a node can be read, built and run
 * from there. Platform and subgraphs import only `edge/protocol/`, and the node imports only the platform; two rules check that.
 */
export const CIRCLES = ['.: edge, subgraphs'];
