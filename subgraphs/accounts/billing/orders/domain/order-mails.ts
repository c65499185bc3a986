// Mails about orders: how to pay, what was paid, credited and could not be delivered.
import { write } from '../../../mail/domain/mail-text.ts';

/** kind -> what it needs -> what it says. */
export const ORDER_MAILS = {
  transfer_asked: ({
    brand,
    account,
    title,
    reference,
    amount,
    url,
  }: {
    brand: string;
    account: string;
    title: string;
    reference: string;
    amount: string;
    url: string;
  }) =>
    write({
      subject: `A bank transfer of ${amount} is asked for by ${account}`,
      paragraphs: [
        `The account ${account} wants to pay ${amount} for ${title} by bank transfer.`,
        `Send it the bank details with the reference ${reference}, and confirm the transfer when it has arrived.`,
      ],
      link: { label: 'See the order', url },
      closing: brand,
    }),
  transfer_credited: ({ brand, title, amount, url }: { brand: string; title: string; amount: string; url: string }) =>
    write({
      subject: `${amount} of your bank transfer is account credit`,
      paragraphs: [
        `Of your bank transfer for ${title}, ${amount} was not needed, was not enough, or came when the order was over.`,
        'It is credit of your account now, and pays first at your next order.',
      ],
      link: { label: 'See my credit', url },
      closing: brand,
    }),
  transfer_terms: ({
    brand,
    title,
    reference,
    amount,
    bank,
    until,
    url,
  }: {
    brand: string;
    title: string;
    reference: string;
    amount: string;
    bank: string[];
    until: string;
    url: string;
  }) =>
    write({
      subject: `How to transfer ${amount} for ${title}`,
      paragraphs: [
        `Please transfer ${amount} with the reference ${reference} by ${until}.`,
        bank.length > 0 ? `To: ${bank.join(', ')}` : 'Support sends you the details of our bank account.',
        'Your order goes on as soon as support has seen the transfer.',
      ],
      link: { label: 'See the order', url },
      closing: brand,
    }),
  crypto_credited: ({ brand, title, amount, url }: { brand: string; title: string; amount: string; url: string }) =>
    write({
      subject: `${amount} of your cryptocurrency is account credit`,
      paragraphs: [
        `Of what you sent for ${title}, ${amount} was not needed, was not enough, or came when the order was over.`,
        'It is credit of your account now, and pays first at your next order.',
      ],
      link: { label: 'See my credit', url },
      closing: brand,
    }),
  change_not_made: ({ brand, title, amount, url }: { brand: string; title: string; amount: string; url: string }) =>
    write({
      subject: `Too late: ${title}`,
      paragraphs: [
        `Your payment for ${title} arrived after the subscription had changed or ended, so nothing was bought with it.`,
        `The ${amount} is now credit of your account. It pays first when you order again.`,
      ],
      link: { label: 'See my credit', url },
      closing: brand,
    }),
  not_delivered: ({ brand, title, amount, url }: { brand: string; title: string; amount: string; url: string }) =>
    write({
      subject: `We could not deliver: ${title}`,
      paragraphs: [
        `We are sorry: ${title} could not be delivered, and nothing of it will be charged again.`,
        `All of the ${amount} goes back: to your card what the card paid, the rest as credit of your account.`,
      ],
      link: { label: 'See the order', url },
      closing: brand,
    }),
  order_paid: ({ brand, title, total, url }: { brand: string; title: string; total: string; url: string }) =>
    write({
      subject: `Paid: ${title}`,
      paragraphs: [`Thank you. We received ${total} for ${title}.`],
      link: { label: 'See the order', url },
      closing: brand,
    }),
  downtime_credited: ({ brand, amount, reason, url }: { brand: string; amount: string; reason: string; url: string }) =>
    write({
      subject: `${amount} of credit for downtime`,
      paragraphs: [
        `${reason} That is more than we promise, so ${amount} is credit of your account now, and pays first at your next order.`,
      ],
      link: { label: 'See my credit', url },
      closing: brand,
    }),
};
