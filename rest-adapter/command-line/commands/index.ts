// All commands, as the help lists them.
import type { Command } from '../command.ts';
import { EVENT_COMMANDS } from './events.ts';
import { KEY_COMMANDS } from './key.ts';
import { LINE_COMMANDS } from './lines.ts';
import { LISTEN_COMMANDS } from './listen.ts';
import { NETWORK_COMMANDS } from './networks.ts';
import { ORDER_COMMANDS } from './orders.ts';
import { PLAN_COMMANDS } from './plans.ts';
import { REQUEST_COMMANDS } from './requests.ts';
import { SERVER_ACTION_COMMANDS } from './server-actions.ts';
import { SERVER_COMMANDS } from './servers.ts';
import { STATIC_COMMANDS } from './static-plans.ts';
import { TOP_UP_COMMANDS } from './top-ups.ts';
import { USAGE_COMMANDS } from './usage.ts';
import { USER_COMMANDS } from './users.ts';
import { WEBHOOK_COMMANDS } from './webhooks.ts';

export const COMMANDS: readonly Command[] = [
  ...PLAN_COMMANDS,
  ...LINE_COMMANDS,
  ...USAGE_COMMANDS,
  ...TOP_UP_COMMANDS,
  ...ORDER_COMMANDS,
  ...REQUEST_COMMANDS,
  ...NETWORK_COMMANDS,
  ...STATIC_COMMANDS,
  ...USER_COMMANDS,
  ...SERVER_COMMANDS,
  ...SERVER_ACTION_COMMANDS,
  ...EVENT_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...LISTEN_COMMANDS,
  ...KEY_COMMANDS,
];
