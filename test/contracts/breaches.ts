// What breaks a rule of the house today, by the rule's title. A list that may only shrink: a breach that is mended is taken off it in the same commit.
export const BREACHES: Readonly<Record<string, readonly string[]>> = {};

/**
 * Rooms that know each other both ways, and why that stays: a proxy node is one folder with what platform and node say to each other, so that a node can
 * be read, built and run from there. Platform and subgraphs know `edge/protocol/` alone, and the node knows the platform alone; two rules hold it.
 */
export const CIRCLES = ['.: edge, subgraphs'];
