// The desk's commands on events whose reaction failed.
import { redriveDeadLetters, waitingDeadLetters } from '../support/services/dead-letters.ts';
import { table } from '#platform/desk-command.ts';
import type { Command } from './desk.ts';

export const EVENT_COMMANDS: Readonly<Record<string, Command>> = {
  'dead-letters': {
    permission: 'events',
    words: '',
    about: 'events whose reaction failed, and those that wait behind them, oldest first',
    run: async (ctx) =>
      table(
        (await waitingDeadLetters(ctx)).map(({ position, reader, event, attempts, nextTryAt, error }) => [
          ...[position, reader, event.type, event.subject, event.accountId],
          attempts === 0 ? 'waits' : `failed ${attempts} times`,
          nextTryAt && `next ${nextTryAt.toISOString()}`,
          error,
        ]),
      ),
  },
  redrive: {
    permission: 'events',
    words: 'ID|all',
    about: 'has an event whose reaction failed tried again now, or all of them',
    run: async (ctx, { of }) => `${(await redriveDeadLetters(ctx, of === 'all' ? null : of)).length} tried again.`,
  },
};
