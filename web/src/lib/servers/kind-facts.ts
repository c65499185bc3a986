// What belongs to a kind of server: panels of a server know these, and the kinds name the panels.
import type { TypedDocumentNode } from '@urql/core';
import type { Dedicated } from '#lib/ops/dedicated.ts';
import type { Vps } from '#lib/ops/vps.ts';

export const POWER_ASKS = ['start', 'reboot', 'stop', 'force_stop', 'reset_password'] as const;
export type PowerAsk = (typeof POWER_ASKS)[number];

/** What servers of both kinds have. */
export type AnyServer = Omit<Vps | Dedicated, 'status' | 'plan'> & { status: string };

/** What belongs to a kind and not to one server of it. */
export interface KindFacts {
  name: 'VPS' | 'DEDICATED';
  text: Record<'goneTitle' | 'goneLead' | 'endsLead' | 'resetLead' | 'cancelLead', string>;
  /** The status of a server that is no more. */
  gone: string;
  /** The section from which it is cancelled. */
  cancelledFrom: 'overview' | 'plan';
  asks: Record<PowerAsk, TypedDocumentNode<unknown, { id: string }>>;
  reveal: TypedDocumentNode<{ password: string }, { id: string }>;
}
