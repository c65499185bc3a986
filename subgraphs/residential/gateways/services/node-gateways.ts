// The gateways that nodes are told of, and the bytes that nodes report of them.
import { toDay } from '#platform/clock.ts';
import type { GatewayDefinition } from '../../../../edge/protocol/gateway.ts';
import type { LedgerLine } from '../../metering/entities/usage-ledger.ts';
import type { Context } from '../../edges/context.ts';
import { isOverCap } from '../domain/gateway.ts';
import { type GatewayBytes, addGatewayBytes, gatewayRows, notifyOfGateways } from '../entities/gateway.ts';
import { monthOf, toGateway } from './gateways.ts';

/** Gateways, with their credentials, that are enabled and have not reached the cap of the month. */
export async function gatewaysForNodes(ctx: Context): Promise<GatewayDefinition[]> {
  const rows = await gatewayRows(ctx.em, monthOf(ctx.clock.now()));
  return rows.filter((row) => row.enabled && !isOverCap(row.monthBytes, row)).map((row) => toGateway(ctx, row).definition);
}

/** Counts the bytes that left by gateways, in the transaction that enters the lines. When a gateway reaches its cap, nodes are told to stop using it. */
export async function countGatewayBytes(tx: Context, lines: readonly LedgerLine[]): Promise<void> {
  const sums = new Map<string, GatewayBytes>();
  for (const { exits = [], at } of lines)
    for (const { exit, upBytes, downBytes } of exits) {
      const day = toDay(at);
      const key = `${day} ${exit}`;
      const sum = sums.get(key) ?? { gatewayId: exit, day, upBytes: 0n, downBytes: 0n };
      sums.set(key, { ...sum, upBytes: sum.upBytes + upBytes, downBytes: sum.downBytes + downBytes });
    }
  if (sums.size === 0) return;
  const bytes = [...sums.values()].sort((a, b) => (a.gatewayId < b.gatewayId ? -1 : 1));
  const capped = await addGatewayBytes(tx.em, bytes);
  if (capped.length === 0) return;
  const month = monthOf(tx.clock.now());
  const now = await gatewayRows(tx.em, month);
  const reached = now.filter((row) => {
    const added = bytes.filter(({ gatewayId, day }) => gatewayId === row.id && day >= month);
    const before = row.monthBytes - added.reduce((sum, { upBytes, downBytes }) => sum + upBytes + downBytes, 0n);
    return isOverCap(row.monthBytes, row) && !isOverCap(before, row);
  });
  if (reached.length > 0) await notifyOfGateways(tx.em);
}

/** At the beginning of a month, when caps count from zero again, notifies nodes to read the gateways anew. */
export const reopenGateways = (ctx: Context): Promise<unknown> => notifyOfGateways(ctx.em);
