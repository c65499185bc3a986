// The differences between kinds of servers that panels need to know. They are apart from kinds.ts, which imports the panels.
import type { TypedDocumentNode } from '@urql/core';
import type { Dedicated } from '#lib/ops/dedicated.ts';
import type { Vps } from '#lib/ops/vps.ts';

export const POWER_ASKS = ['start', 'reboot', 'stop', 'force_stop', 'reset_password'] as const;
export type PowerAsk = (typeof POWER_ASKS)[number];

/** The fields that servers of both kinds have. */
export type AnyServer = Omit<Vps | Dedicated, 'status' | 'plan'> & { status: string };

/** What is the same for all servers of a kind. */
export interface KindFacts {
  name: 'VPS' | 'DEDICATED';
  text: Record<'goneTitle' | 'goneLead' | 'endsLead' | 'resetLead' | 'cancelLead', string>;
  /** The status of a server that has ended. */
  gone: string;
  /** The section in which the server is cancelled. */
  cancelledFrom: 'overview' | 'plan';
  asks: Record<PowerAsk, TypedDocumentNode<unknown, { id: string }>>;
  reveal: TypedDocumentNode<{ password: string }, { id: string }>;
}
