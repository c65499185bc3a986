import { write } from '../../../mail/domain/mail-text.ts';

/** Mails to the desk about payouts to our bank. */
export const PAYOUT_MAILS = {
  payout_failed: ({ brand, amount, payout, url }: { brand: string; amount: string; payout: string; url: string }) =>
    write({
      subject: `A payout of ${amount} came back`,
      paragraphs: [
        `Our bank has sent back a payout of ${amount} (${payout}): the money is with the processor again.`,
        'Look at our account in the pages of the processor: it may pay out nothing more until that is put right.',
      ],
      link: { label: 'See the payouts', url },
      closing: brand,
    }),
};
