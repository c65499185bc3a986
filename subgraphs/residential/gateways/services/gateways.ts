// Gateways of other sellers of proxies at the desk: set up, changed, removed, and compared with the sellers' bills.
import { toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { seal, unseal } from '#platform/sealing.ts';
import { edgeRows } from '../../edges/entities/edge-desk.ts';
import type { Context } from '../../edges/context.ts';
import { type Gateway, type GatewayReport, reportOf, toDefinition } from '../domain/gateway.ts';
import {
  type GatewayBill,
  type GatewayRow,
  deleteGateway,
  gatewayBills,
  gatewayRows,
  insertGatewayBill,
  notifyOfGateways,
  saveGateway,
} from '../entities/gateway.ts';

export interface SeenGateway extends Gateway {
  report: GatewayReport;
}

export const monthOf = (now: Date): string => `${toDay(now).slice(0, 7)}-01`;

export function toGateway({ providers }: Context, row: GatewayRow): Gateway {
  const credentials = JSON.parse(unseal(row.credentialsSealed, providers.secrets.sealing, row.id)) as object;
  return { ...row, definition: toDefinition({ kind: 'gateway', id: row.id, ...row.settings, ...credentials }) };
}

/** All gateways, ordered by id. */
export async function listGateways(ctx: Context): Promise<SeenGateway[]> {
  const now = ctx.clock.now();
  const nodes = await edgeRows(ctx.em, now);
  return (await gatewayRows(ctx.em, monthOf(now))).map((row) => ({ ...toGateway(ctx, row), report: reportOf(row.id, nodes) }));
}

/** Throws `gateway_not_found`. */
export async function readGateway(ctx: Context, id: string): Promise<SeenGateway> {
  const now = ctx.clock.now();
  const [row] = await gatewayRows(ctx.em, monthOf(now), id);
  if (!row) throw fail('gateway_not_found');
  return { ...toGateway(ctx, row), report: reportOf(id, await edgeRows(ctx.em, now)) };
}

export interface GatewayInput {
  id: string;
  /** Members that are absent from `definition` get their defaults; without a password the stored one is kept. */
  definition: object & { username: string; password?: string | undefined };
  enabled: boolean;
  costPerGbMinor: number;
  monthlyCapMinor: number | null;
}

/** Stores a gateway. Nodes are told within a second. Throws `parameter_invalid`. */
export async function setGateway(ctx: Context, input: GatewayInput): Promise<SeenGateway> {
  const { id, enabled, costPerGbMinor, monthlyCapMinor } = input;
  if (costPerGbMinor < 0)
    throw fail('parameter_invalid', { field: 'costPerGbMinor', reason: because('gateway_unfit', { words: 'costPerGbMinor < 0' }) });
  if (monthlyCapMinor !== null && monthlyCapMinor < 1)
    throw fail('parameter_invalid', { field: 'monthlyCapMinor', reason: because('gateway_unfit', { words: 'monthlyCapMinor < 1' }) });
  await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const [before] = await gatewayRows(tx.em, monthOf(now), id);
    const password = input.definition.password ?? (before && toGateway(tx, before).definition.password);
    if (password === undefined)
      throw fail('parameter_invalid', { field: 'password', reason: because('gateway_unfit', { words: 'password' }) });
    const {
      kind: _kind,
      id: _id,
      username,
      password: kept,
      ...settings
    } = toDefinition({
      kind: 'gateway',
      id,
      ...input.definition,
      password,
    });
    const credentialsSealed = seal(JSON.stringify({ username, password: kept }), tx.providers.secrets.sealing, id);
    await saveGateway(tx.em, { id, settings, credentialsSealed, enabled, costPerGbMinor, monthlyCapMinor }, now);
    await notifyOfGateways(tx.em);
  });
  return readGateway(ctx, id);
}

/** Removes a gateway; its days and bills stay. Throws `gateway_not_found`. */
export async function removeGateway(ctx: Context, id: string): Promise<string> {
  await inTransaction(ctx, async (tx) => {
    if (!(await deleteGateway(tx.em, id))) throw fail('gateway_not_found');
    await notifyOfGateways(tx.em);
  });
  return id;
}

const MAX_BILLS = 100;
export const billsOf = (ctx: Context, id: string): Promise<GatewayBill[]> => gatewayBills(ctx.em, id, MAX_BILLS);

/** Stores a bill of the seller. Throws `gateway_not_found` or `parameter_invalid`. */
export async function noteGatewayBill(ctx: Context, bill: Omit<GatewayBill, 'id' | 'countedBytes'>): Promise<SeenGateway> {
  if (bill.lastDay < bill.firstDay || bill.billedBytes < 0n || bill.amountMinor < 0)
    throw fail('parameter_invalid', {
      field: 'lastDay',
      reason: because('gateway_unfit', { words: 'lastDay < firstDay, billedBytes < 0, amountMinor < 0' }),
    });
  await inTransaction(ctx, async (tx) => {
    await readGateway(tx, bill.gatewayId);
    await insertGatewayBill(tx.em, { ...bill, id: newId('gwb', tx.clock) }, tx.clock.now());
  });
  return readGateway(ctx, bill.gatewayId);
}
