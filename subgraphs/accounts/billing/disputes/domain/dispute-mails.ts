// Mails about disputes and warnings of fraud.
import { write } from '../../../mail/domain/mail-text.ts';

/** Kind of mail -> a function from the mail's data to its text. */
export const DISPUTE_MAILS = {
  dispute_opened: (data: { brand: string; title: string; amount: string; reason: string; until: string; url: string }) =>
    write({
      subject: `A payment of ${data.amount} is disputed`,
      paragraphs: [
        `The payer of ${data.title} wants ${data.amount} back from their bank: ${data.reason}.`,
        `Answer with evidence by ${data.until}, or give in.`,
      ],
      link: { label: 'See the dispute', url: data.url },
      closing: data.brand,
    }),
  dispute_due: (data: { brand: string; title: string; amount: string; until: string; url: string }) =>
    write({
      subject: `A dispute of ${data.amount} is lost unless it is answered by ${data.until}`,
      paragraphs: [`Nobody has answered the dispute about ${data.title} yet. After ${data.until} its money is gone.`],
      link: { label: 'See the dispute', url: data.url },
      closing: data.brand,
    }),
  fraud_warned: (data: { brand: string; title: string; kind: string; url: string }) =>
    write({
      subject: `A bank warns of fraud: ${data.title}`,
      paragraphs: [
        `The bank of the payer of ${data.title} takes the payment for fraud (${data.kind}). Nobody has disputed it yet.`,
        'A refund now spares the fee of a dispute.',
      ],
      link: { label: 'See the warning', url: data.url },
      closing: data.brand,
    }),
  refund_failed: (data: { brand: string; amount: string; why: string; url: string }) =>
    write({
      subject: `A refund of ${data.amount} waits for a decision`,
      paragraphs: [`A refund of ${data.amount} did not arrive: ${data.why}`, 'Say at the desk what becomes of the money.'],
      link: { label: 'See the refund', url: data.url },
      closing: data.brand,
    }),
  purchase_frozen: (data: { brand: string; title: string; support: string; url: string }) =>
    write({
      subject: `On hold: ${data.title}`,
      paragraphs: [
        `The payment for ${data.title} is disputed with your bank, so it is on hold until that is settled. Nothing of it renews meanwhile.`,
        `If you did not mean to dispute it, withdraw the dispute at your bank and write to ${data.support}.`,
      ],
      link: { label: 'See the order', url: data.url },
      closing: data.brand,
    }),
  purchase_thawed: (data: { brand: string; title: string; support: string; url: string }) =>
    write({
      subject: `Running again: ${data.title}`,
      paragraphs: [`The dispute about ${data.title} is settled, so it runs again. Questions: ${data.support}.`],
      link: { label: 'See the order', url: data.url },
      closing: data.brand,
    }),
};
