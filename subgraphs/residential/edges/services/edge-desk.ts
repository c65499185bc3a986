// What support does with proxy nodes at the desk: reads their status, enrols, drains and revokes them.
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import { type EdgeAction, type EdgeState, EDGE_STATES, edgeStateOf, requireEdgeAction } from '../domain/edge-state.ts';
import type { EdgeStatus, ExitStatus } from '../../../../edge/protocol/control-plane.ts';
import { type EdgeRow, edgeRows, saveDraining, saveEdgeStatus, notifyOfEdge } from '../entities/edge-desk.ts';
import type { Context } from '../context.ts';
import { enrolEdge, revokeEdge } from './edges.ts';

export interface SeenEdge extends EdgeRow {
  state: EdgeState;
}

/** Stores what a node reports of itself. Answers whether it is to take no new connections. */
export const receiveEdgeStatus = async (ctx: Context, id: string, status: EdgeStatus): Promise<{ draining: boolean }> => ({
  draining: await saveEdgeStatus(ctx.em, id, status, ctx.clock.now()),
});

const toSeen = (row: EdgeRow, now: Date): SeenEdge => ({ ...row, state: edgeStateOf(row, now) });

/** All nodes, ordered by state, those that work first. */
export async function listEdges(ctx: Context): Promise<SeenEdge[]> {
  const now = ctx.clock.now();
  const edges = (await edgeRows(ctx.em, now)).map((row) => toSeen(row, now));
  return edges.sort((a, b) => EDGE_STATES.indexOf(a.state) - EDGE_STATES.indexOf(b.state));
}

/** Throws `edge_not_found`. */
export async function readEdge(ctx: Context, id: string): Promise<SeenEdge> {
  const now = ctx.clock.now();
  const [row] = await edgeRows(ctx.em, now, id);
  if (!row) throw fail('edge_not_found');
  return toSeen(row, now);
}

/** Enrols a node. Its key is shown only in this answer. Throws `parameter_invalid`. */
export async function enrolFromDesk(ctx: Context, id: string): Promise<{ edge: SeenEdge; key: string }> {
  const key = await enrolEdge(ctx, id);
  await notifyOfEdge(ctx.em, id);
  return { edge: await readEdge(ctx, id), key };
}

/** Throws `edge_not_found` or `action_not_allowed`. */
export async function actOnEdge(ctx: Context, id: string, action: EdgeAction): Promise<SeenEdge> {
  await inTransaction(ctx, async (tx) => {
    requireEdgeAction(action, await readEdge(tx, id));
    if (action === 'revoke') await revokeEdge(tx, id);
    else await saveDraining(tx.em, id, action === 'drain' ? tx.clock.now() : null);
    await notifyOfEdge(tx.em, id);
  });
  return readEdge(ctx, id);
}

/** Yields the ids of nodes that have news. */
export function watchEdges(ctx: Context): AsyncIterableIterator<string> {
  return liveIterator<string>((push) => ctx.providers.edgeNews(push), {
    key: (id) => id,
    onDrop: ctx.providers.eventDropped,
    signal: ctx.signal,
  });
}

/** Exits of a node that match the search, in the node's order: those that are out first, then those that carry the most. */
export function exitsOf({ status }: EdgeRow, search: string | null | undefined, first: number): ExitStatus[] {
  const wanted = search?.trim().toLowerCase() ?? '';
  return (status?.exits ?? [])
    .filter(({ id, country, state, city, carrier }) =>
      [id, country, state, city, carrier].some((text) => text?.toLowerCase().includes(wanted) ?? false),
    )
    .slice(0, first);
}
