// Computes what is taken back of a plan that several orders have brought bytes into. The oldest bytes are used first: those of the order that made the plan,
// then those of each top-up.

export interface BoughtBytes {
  orderId: string;
  bytes: bigint;
}

export interface PlanBytes {
  /** The order that made the plan. */
  orderId: string;
  totalBytes: bigint;
  usedBytes: bigint;
  /** Bytes that nodes hold leases of; they may be spent already. */
  leasedBytes: bigint;
}

/**
 * How many of an order's bytes nobody has used, and how many were used. `topUps` are ordered by age, the oldest first. Bytes that support took back count as
 * taken from the order that made the plan. Undefined: the plan has no such order.
 */
export function unusedOf(
  orderId: string,
  plan: Pick<PlanBytes, 'orderId' | 'totalBytes' | 'usedBytes'>,
  topUps: readonly BoughtBytes[],
): { unusedBytes: bigint; usedBytes: bigint } | undefined {
  const added = topUps.reduce((sum, { bytes }) => sum + bytes, 0n);
  const own = { orderId: plan.orderId, bytes: plan.totalBytes > added ? plan.totalBytes - added : 0n };
  let usedLeft = plan.usedBytes;
  for (const { orderId: id, bytes } of [own, ...topUps]) {
    const usedBytes = usedLeft < bytes ? usedLeft : bytes;
    if (id === orderId) return { unusedBytes: bytes - usedBytes, usedBytes };
    usedLeft -= usedBytes;
  }
  return undefined;
}

/** The lowest total that a plan may be given: the bytes that are used or held by nodes; at least 1, and not above the present total, unless more than that is used. */
export function floorOf({ totalBytes, usedBytes, leasedBytes }: Pick<PlanBytes, 'totalBytes' | 'usedBytes' | 'leasedBytes'>): bigint {
  const max = usedBytes + leasedBytes;
  return max < 1n ? 1n : max < totalBytes || usedBytes >= totalBytes ? max : totalBytes;
}

/** The plan's total after so many unused bytes are taken back. */
export function totalWithout(unusedBytes: bigint, plan: Pick<PlanBytes, 'totalBytes' | 'usedBytes' | 'leasedBytes'>): bigint {
  const floor = floorOf(plan);
  const rest = plan.totalBytes - unusedBytes;
  return rest > floor ? rest : floor;
}
