// The desk's commands on what payers and their banks do: disputes, warnings of fraud, refunds that failed.
import { writeFile } from 'node:fs/promises';
import { formatMoney } from '#commerce/money.ts';
import {
  closeWarning,
  findDispute,
  giveIn,
  listDisputes,
  listWarnings,
  submitEvidence,
} from '../billing/disputes/services/dispute-desk.ts';
import { evidenceOf } from '../billing/disputes/services/evidence.ts';
import { REFUND_DECISIONS, type RefundDecision, refundsThatFailed, resolveRefund } from '../billing/refunds/services/resolve-refund.ts';
import { Refusal, table } from '#platform/desk-command.ts';
import type { Command } from './desk.ts';

const decisionOf = (word: string | undefined): RefundDecision => {
  const found = REFUND_DECISIONS.find((one) => one === word?.toUpperCase());
  if (!found) throw new Refusal(`--kind is one of ${REFUND_DECISIONS.join(', ').toLowerCase()}.`);
  return found;
};

export const DISPUTE_COMMANDS: Readonly<Record<string, Command>> = {
  disputes: {
    permission: 'disputes',
    words: 'open|over',
    about: 'what payers have disputed: those to answer first, by deadline',
    run: async (ctx, { of }) =>
      table(
        (await listDisputes(ctx, of !== 'over')).map(({ id, orderId, stage, status, reason, amountMinor, currency, respondBy }) => [
          ...[id, orderId, stage, status, reason, formatMoney({ amountMinor, currency })],
          respondBy && `by ${respondBy.toISOString()}`,
        ]),
      ),
  },
  'dispute-evidence': {
    permission: 'disputes',
    words: 'DISPUTE-ID',
    about: 'writes the pack of evidence of a dispute to DISPUTE-ID.pdf in this folder',
    async run(ctx, { of }) {
      const { pdf, fileName } = await evidenceOf(ctx, await findDispute(ctx, of));
      await writeFile(fileName, pdf);
      return `${fileName}: ${pdf.length} bytes.`;
    },
  },
  'dispute-submit': {
    permission: 'dispute_answer',
    words: 'DISPUTE-ID [--terms "WHAT WE SAY"]',
    about: 'sends the pack of evidence to the processor, once',
    run: async (ctx, { of, terms }) => `${of} is ${(await submitEvidence(ctx, { id: of, statement: terms ?? null })).status}.`,
  },
  'dispute-give-in': {
    permission: 'dispute_answer',
    words: 'DISPUTE-ID',
    about: 'gives the money up',
    run: async (ctx, { of }) => `${of} is ${(await giveIn(ctx, of)).status}.`,
  },
  'fraud-warnings': {
    permission: 'fraud',
    words: '',
    about: 'payments that banks take for fraud and nobody has disputed',
    run: async (ctx) =>
      table((await listWarnings(ctx)).map(({ id, orderId, kind, warnedAt }) => [id, orderId, kind, warnedAt.toISOString()])),
  },
  'fraud-warning-close': {
    permission: 'fraud',
    words: 'WARNING-ID',
    about: 'the desk has done with a warning',
    run: async (ctx, { of }) => `${(await closeWarning(ctx, of)).id} is closed.`,
  },
  'failed-refunds': {
    permission: 'refund',
    words: '',
    about: 'refunds and pay-outs that did not arrive and wait for a decision, or that wait for a person to send them',
    run: async (ctx) =>
      table(
        (await refundsThatFailed(ctx)).map(({ id, orderId, accountId, amountMinor, currency, failure, payTo }) => [
          ...[id, orderId ?? accountId, formatMoney({ amountMinor, currency })],
          failure ?? (payTo ? `to ${payTo}` : null),
        ]),
      ),
  },
  'resolve-refund': {
    permission: 'refund',
    words: 'REFUND-ID --kind again|as_credit|not_owed|sent [--reference BANK-REFERENCE]',
    about: 'says what becomes of a refund that failed, or that a pay-out is sent',
    run: async (ctx, { of, kind, reference }) =>
      `${of} is ${(await resolveRefund(ctx, { id: of, decision: decisionOf(kind), reference })).status}.`,
  },
};
