// What is taken back of bytes that several orders have brought into one plan. The oldest are used first: the order that made the plan, then each that
// topped it up.

export interface BoughtBytes {
  orderId: string;
  bytes: bigint;
}

export interface PlanBytes {
  /** Of the order that made the plan. */
  orderId: string;
  totalBytes: bigint;
  usedBytes: bigint;
  /** What nodes hold: it may be spent already. */
  leasedBytes: bigint;
}

/**
 * What an order has brought and nobody has used; `usedBytes`: what of it was. `topUps` the oldest first; support may have taken some of what was bought, from the
 * first order first. Undefined: the plan has no such order.
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

/** What a plan may come down to: what was used, and what nodes hold. A plan has a byte at least, and never more than it had. */
export function floorOf({ totalBytes, usedBytes, leasedBytes }: Pick<PlanBytes, 'totalBytes' | 'usedBytes' | 'leasedBytes'>): bigint {
  const max = usedBytes + leasedBytes;
  return max < 1n ? 1n : max < totalBytes || usedBytes >= totalBytes ? max : totalBytes;
}

/** What is left of what was sold when so much is taken back of it. */
export function totalWithout(unusedBytes: bigint, plan: Pick<PlanBytes, 'totalBytes' | 'usedBytes' | 'leasedBytes'>): bigint {
  const floor = floorOf(plan);
  const rest = plan.totalBytes - unusedBytes;
  return rest > floor ? rest : floor;
}
