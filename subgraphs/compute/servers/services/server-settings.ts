// What owners note about their servers of either kind: a name, labels, protection against mistakes.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import type { ServersContext } from '../context.ts';
import { hasEnded } from '../domain/server-lifecycle.ts';
import { type ServerLabel, checkLabels, checkServerName } from '../domain/server-label.ts';
import { type ServerRow, lockServer, updateServer } from '../entities/server.ts';
import { lockOwn } from './server-facts.ts';
import { announceChange } from '../../operations/services/server-events.ts';

/** Sets the name of a server. Errors: server_not_found, parameter_invalid. */
export const renameServer = (ctx: ServersContext, id: string, name: string | null) => set(ctx, id, { name: checkServerName(name) });
export const labelServer = (ctx: ServersContext, id: string, labels: readonly ServerLabel[]) =>
  set(ctx, id, { labels: checkLabels(labels) });
/** Protects a server against a reinstall or a restore, not against cancelling. */
export const protectServer = (ctx: ServersContext, id: string, isProtected: boolean) => set(ctx, id, { protected: isProtected });

const set = (ctx: ServersContext, id: string, settings: Pick<Partial<ServerRow>, 'name' | 'labels' | 'protected'>): Promise<ServerRow> =>
  inTransaction(ctx, async (tx) => {
    const server = await lockOwn(tx, id);
    if (hasEnded(server.status)) throw fail('action_not_allowed', { reason: because('server_gone') });
    await updateServer(tx.em, id, settings);
    await announceChange(tx, server);
    return (await lockServer(tx.em, id)) ?? server;
  });
