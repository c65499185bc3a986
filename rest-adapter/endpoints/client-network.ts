// What networks of residential and static plans have in common.
import { z } from 'zod';
import { TEXT_MAX } from '../../schema/limits.ts';

export interface NetworkResult {
  id: string;
  network: string;
  note: string;
  createdAt: string;
  usedAt: string | null;
}

/** The fields of NetworkResult, for operations. */
export const NETWORK_FIELDS = 'id network note createdAt usedAt';

/** The members of a network in an answer; `own` are those that one kind of plan has. */
export const networkShape = <Own extends z.ZodRawShape>(own: Own) =>
  z.object({
    network_id: z.string(),
    network: z.string().describe('As 203.0.113.7/32 or 2001:db8::/64.'),
    ...own,
    note: z.string(),
    created_at: z.string(),
    used_at: z.string().nullable().describe('When somebody last logged in from there, to the minute.'),
  });

/** A network as answers have it, with what only one kind of plan has. */
export const toNetwork = <Own extends object>({ id, network, note, createdAt, usedAt }: NetworkResult, own: Own) => ({
  network_id: id,
  network,
  ...own,
  note,
  created_at: createdAt,
  used_at: usedAt,
});

/** Whether both are needed, as answers have it. */
export const NETWORKS_AND_PASSWORD = z
  .boolean()
  .describe('true: lines need their password and one of the networks; nobody logs in by the address alone.');

/** The inputs of a network that is let in. */
export const NETWORK_INPUT = {
  network: z.string().min(1).max(64).describe('As 203.0.113.7, 203.0.113.0/28 or 2001:db8::/64.'),
  note: z.string().max(TEXT_MAX.networkNote).describe(`What it is, at most ${TEXT_MAX.networkNote} characters.`).optional(),
};

/** What reads whether both are needed. */
export const BOTH_INPUT = { networks_and_password: z.boolean().describe('true: both are needed.') };
