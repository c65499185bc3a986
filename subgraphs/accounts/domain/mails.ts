// Every mail of this subgraph as a typed function: subject, text, and the same as plain HTML. No pictures, no outside address, no tracking.

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface Letter {
  subject: string;
  paragraphs: string[];
  link?: { label: string; url: string };
  closing: string;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function write({ subject, paragraphs, link, closing }: Letter): MailText {
  const text = [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), closing].join('\n\n');
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
    ...(link
      ? [`<p><a href="${escape(link.url)}">${escape(link.label)}</a></p><p style="color:#666;font-size:13px">${escape(link.url)}</p>`]
      : []),
    `<p style="color:#666">${escape(closing)}</p>`,
  ].join('\n');
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;max-width:36em">${html}</body></html>`,
  };
}

/** kind -> what it needs -> what it says. */
export const MAILS = {
  verify_email: ({ brand, url, hours }: { brand: string; url: string; hours: number }) =>
    write({
      subject: `Confirm your e-mail address for ${brand}`,
      paragraphs: [
        `You, or somebody with your address, signed up for ${brand}.`,
        `If it was you, confirm the address within ${hours} hours. If it was not, ignore this mail: nothing happens without the link.`,
      ],
      link: { label: 'Confirm my address', url },
      closing: brand,
    }),
  account_exists: ({ brand, url }: { brand: string; url: string }) =>
    write({
      subject: `You already have an account at ${brand}`,
      paragraphs: [
        `Somebody signed up for ${brand} with this address. It has an account already, so nothing was changed.`,
        'If it was you, sign in with your password.',
      ],
      link: { label: 'Sign in', url },
      closing: brand,
    }),
  key_issued: ({ brand, masked, url }: { brand: string; masked: string; url: string }) =>
    write({
      subject: `A new API key for your ${brand} account`,
      paragraphs: [
        `Support has issued the API key ${masked} for your account. The key itself is never sent by mail.`,
        'If you did not ask for it, revoke it at once.',
      ],
      link: { label: 'See my keys', url },
      closing: brand,
    }),
  order_paid: ({ brand, title, total, url }: { brand: string; title: string; total: string; url: string }) =>
    write({
      subject: `Paid: ${title}`,
      paragraphs: [`Thank you. We received ${total} for ${title}.`],
      link: { label: 'See the order', url },
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;

export type MailKind = keyof typeof MAILS;
export type MailData<Kind extends MailKind> = Omit<Parameters<(typeof MAILS)[Kind]>[0], 'brand'>;
