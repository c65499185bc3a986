// Mails about orders: how to pay, what was paid, credited and could not be delivered.
import { write } from '../../../mail/domain/mail-text.ts';
import { type Said, sayIn } from '../../../mail/domain/said.ts';

/** kind -> what it needs -> what it says. */
export const ORDER_MAILS = {
  credit_left: ({ brand, amount, account, support }: { brand: string; amount: string; account: string; support: string }) =>
    write({
      subject: `${amount} of credit was left in your account`,
      paragraphs: [
        `Your account is closed, and ${amount} of credit was left in it that we could not send back to where it came from by ourselves. What you have paid of it is yours.`,
        `To have that paid out, write to ${support} from this address, name the account ${account}, and say where the money is to go.`,
      ],
      closing: brand,
    }),
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
  transfer_part: ({
    brand,
    title,
    reference,
    arrived,
    left,
    until,
    url,
  }: {
    brand: string;
    title: string;
    reference: string;
    arrived: string;
    left: string;
    until: string;
    url: string;
  }) =>
    write({
      subject: `${left} left to pay: ${title}`,
      paragraphs: [
        `Of your transfer for ${title}, ${arrived} has arrived and is set aside for it.`,
        `Please transfer the ${left} that are left with the reference ${reference} by ${until}.`,
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
  /** `invoiceId`: goes with it as a file; absent in what an earlier release wrote. */
  order_paid: ({ brand, title, total, invoiceId, url }: { brand: string; title: string; total: string; invoiceId?: string; url: string }) =>
    write({
      subject: `Paid: ${title}`,
      paragraphs: [`Thank you. We received ${total} for ${title}.`, ...(invoiceId ? ['The invoice is attached.'] : [])],
      link: { label: 'See the order', url },
      closing: brand,
    }),
  downtime_credited: ({ brand, amount, reason, url }: { brand: string; amount: string; reason: Said; url: string }) =>
    write({
      subject: `${amount} of credit for downtime`,
      paragraphs: [
        `${sayIn('en', reason)} That is more than we promise, so ${amount} is credit of your account now, and pays first at your next order.`,
      ],
      link: { label: 'See my credit', url },
      closing: brand,
    }),
  credit_reversed: ({ brand, amount, reason, url }: { brand: string; amount: string; reason: string; url: string }) =>
    write({
      subject: `${amount} of account credit taken back`,
      paragraphs: [`We have taken ${amount} of account credit back that was given by mistake: ${reason}`],
      link: { label: 'See my credit', url },
      closing: brand,
    }),
  order_withdrawn: ({ brand, title, reason, url }: { brand: string; title: string; reason: string; url: string }) =>
    write({
      subject: `Taken back: ${title}`,
      paragraphs: [`We have taken back what was not used of ${title}: ${reason}`, 'What was given back is on the page of the order.'],
      link: { label: 'See the order', url },
      closing: brand,
    }),
  key_order_declined: ({
    brand,
    title,
    total,
    words,
    url,
  }: {
    brand: string;
    title: string;
    total: string;
    /** The bank's; absent: it asks for a confirmation. Null: why is not said. */
    words?: string | null;
    url: string;
  }) =>
    write({
      subject: `Not paid, and not ordered: ${title}`,
      paragraphs: [
        `One of your API keys has ordered ${title}, and ${total} could not be charged to what is saved in your account.${words ? ` The bank says: ${words}` : words === null ? '' : ' Your bank wants you to confirm the payment yourself.'}`,
        'The order is cancelled: nothing was charged, and nothing is tried again by itself. Look at your saved means, then let the key order anew.',
      ],
      link: { label: 'See the order', url },
      closing: brand,
    }),
  order_held: ({ brand, title, url }: { brand: string; title: string; url: string }) =>
    write({
      subject: `We are looking at your order: ${title}`,
      paragraphs: [
        `Thank you for your order of ${title}. Before we deliver it, one of us looks at it, usually within a working day. You need not do anything.`,
        'If we cannot accept it, all of your money goes back the way it came.',
      ],
      link: { label: 'See the order', url },
      closing: brand,
    }),
  order_refused: ({ brand, title, amount, url }: { brand: string; title: string; amount: string; url: string }) =>
    write({
      subject: `Not accepted: ${title}`,
      paragraphs: [
        `We cannot accept your order of ${title}. ${amount} goes back the way it came; with a card that takes up to ten days.`,
        'If you think that we are wrong, answer this mail.',
      ],
      link: { label: 'See the order', url },
      closing: brand,
    }),
};
