// Mails about the ways into an account. They are always sent.
import { type MailText, write } from '../../mail/domain/mail-text.ts';

export const ACCESS_MAILS = {
  verify_email: ({ brand, url, hours }: { brand: string; url: string; hours: number }) =>
    write({
      subject: `Confirm your e-mail address for ${brand}`,
      paragraphs: [
        `You, or somebody with your address, signed up for ${brand}.`,
        `If it was you, follow the link within ${hours} hours and sign in with the password that you chose. If it was not, ignore this mail: without that password the link opens nothing.`,
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
  recover: ({ brand, url, hours }: { brand: string; url: string; hours: number }) =>
    write({
      subject: `Choose a new password for ${brand}`,
      paragraphs: [
        `Somebody asked for a new password for your ${brand} account.`,
        `If it was you, choose one within ${hours === 1 ? 'an hour' : `${hours} hours`}: you are then signed out everywhere. If it was not, ignore this mail: nothing has changed.`,
      ],
      link: { label: 'Choose a new password', url },
      closing: brand,
    }),
  password_changed: ({ brand, url }: { brand: string; url: string }) =>
    write({
      subject: `Your ${brand} password has changed`,
      paragraphs: [
        `The password of your ${brand} account was changed, and your other sessions have ended.`,
        'If it was not you, recover your password at once, and write to us.',
      ],
      link: { label: 'See my settings', url },
      closing: brand,
    }),
  email_change_old: ({ brand, email, url, hours }: { brand: string; email: string; url: string; hours: number }) =>
    write({
      subject: `Confirm the new address of your ${brand} account`,
      paragraphs: [
        `Your ${brand} account is to have the address ${email} instead of this one.`,
        `If that is right, follow the link within ${hours} hours while you are signed in. If it is not, change your password: somebody else is signed in to your account.`,
      ],
      link: { label: 'Give up this address', url },
      closing: brand,
    }),
  email_change_new: ({ brand, url, hours }: { brand: string; url: string; hours: number }) =>
    write({
      subject: `Confirm this address for your ${brand} account`,
      paragraphs: [
        `This address is to belong to a ${brand} account.`,
        `If it is yours, follow the link within ${hours} hours while you are signed in. If you have no such account, ignore this mail: nothing happens.`,
      ],
      link: { label: 'Confirm this address', url },
      closing: brand,
    }),
  email_changed: ({ brand, email }: { brand: string; email: string }) =>
    write({
      subject: `The address of your ${brand} account has changed`,
      paragraphs: [
        `Your ${brand} account now has the address ${email}. This one does not belong to it any more.`,
        'If it was not you, write to us at once.',
      ],
      closing: brand,
    }),
  new_log_in: ({ brand, device, address, at, url }: { brand: string; device: string; address: string; at: string; url: string }) =>
    write({
      subject: `New sign-in to your ${brand} account`,
      paragraphs: [
        `Somebody signed in to your ${brand} account with ${device}, from the address ${address}, on ${at}.`,
        'If it was you, there is nothing to do. If it was not, end that session and change your password.',
      ],
      link: { label: 'See my sessions', url },
      closing: brand,
    }),
  device_link: ({ brand, url, hours }: { brand: string; url: string; hours: number }) =>
    write({
      subject: `It is you: sign in to ${brand}`,
      paragraphs: [
        `Somebody could not sign in to your ${brand} account, because there were too many wrong passwords for it.`,
        `If it was you, follow the link within ${hours} hours, in the browser that you want to sign in with: it is not kept waiting any more. If it was not, ignore this mail: the link opens nothing without your password.`,
      ],
      link: { label: 'It was me', url },
      closing: brand,
    }),
  second_factor_wrong: ({ brand, device, address, at, url }: { brand: string; device: string; address: string; at: string; url: string }) =>
    write({
      subject: `Wrong second factor at your ${brand} account`,
      paragraphs: [
        `Somebody signed in to your ${brand} account with the right password and gave a wrong code, with ${device}, from the address ${address}, on ${at}.`,
        'If you mistyped the code, there is nothing to do. If it was not you, your password is known to somebody else: change it at once.',
      ],
      link: { label: 'Change my password', url },
      closing: brand,
    }),
  factors_changed: ({ brand, what, url }: { brand: string; what: string; url: string }) =>
    write({
      subject: `A change to how you sign in to ${brand}`,
      paragraphs: [`On your ${brand} account, ${what}.`, 'If it was not you, change your password at once, and write to us.'],
      link: { label: 'See my settings', url },
      closing: brand,
    }),
  account_closed: ({ brand, kept }: { brand: string; kept: string[] }) =>
    write({
      subject: `Your ${brand} account is closed`,
      paragraphs: [`Your ${brand} account is closed, as you asked. What is kept, because it must be:`, ...kept],
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;
