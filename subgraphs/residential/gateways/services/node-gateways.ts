// Gateways for the nodes that use them, and the bytes that nodes report of them.
import { toDay } from '#platform/clock.ts';
import type { GatewayDefinition } from '../../../../edge/protocol/gateway.ts';
import type { LedgerLine } from '../../metering/entities/usage-ledger.ts';
import type { Context } from '../../edges/context.ts';
import { isOverCap } from '../domain/gateway.ts';
import { type GatewayBytes, addGatewayBytes, gatewayRows, notifyOfGateways } from '../entities/gateway.ts';
import { monthOf, toGateway } from './gateways.ts';

/** With their log-ins: those that are on, and whose month's cap is not reached. */
export async function gatewaysForNodes(ctx: Context): Promise<GatewayDefinition[]> {
  const rows = await gatewayRows(ctx.em, monthOf(ctx.clock.now()));
  return rows.filter((row) => row.enabled && !isOverCap(row.monthBytes, row)).map((row) => toGateway(ctx, row).definition);
}

/** In the transaction that enters the lines. Nodes are told of a gateway no more once its cap is reached. */
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

/** A new month: caps count from nothing again. */
export const reopenGateways = (ctx: Context): Promise<unknown> => notifyOfGateways(ctx.em);
