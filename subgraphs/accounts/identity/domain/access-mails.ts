// Mails about the ways into an account. They are always sent.
import { KEPT, type KeptKind } from '../../../../schema/codes/kept.ts';
import { type MailText, write } from '../../mail/domain/mail-text.ts';

/** A change of the ways into an account; `name`: what the owner calls the passkey or chat identity concerned. */
export type FactorChange =
  | { change: 'chat_linked' | 'chat_unlinked' | 'passkey_added' | 'passkey_removed'; name: string }
  | { change: 'totp_added' | 'totp_removed' | 'recovery_codes_renewed' | 'factors_removed' };

/** Each change as a clause, per language. Mails that earlier releases enqueued have an English text instead. */
export type ChangeTexts = Readonly<Record<FactorChange['change'], (name: string) => string>>;

const CHANGES: ChangeTexts = {
  chat_linked: (name) => `the chat account ${name} was linked`,
  chat_unlinked: (name) => `the chat account ${name} was unlinked`,
  passkey_added: (name) => `the passkey "${name}" was added`,
  passkey_removed: (name) => `the passkey "${name}" was removed`,
  totp_added: () => 'an authenticator app was set up',
  totp_removed: () => 'the authenticator app was removed',
  recovery_codes_renewed: () => 'new recovery codes were made',
  factors_removed: () => 'support removed the second factors, as you asked',
};

export const changeBy =
  (texts: ChangeTexts) =>
  (what: FactorChange): string =>
    texts[what.change]('name' in what ? what.name : '');
const changed = changeBy(CHANGES);

/** What is kept of a closed account. Mails that earlier releases enqueued have an English text instead. */
interface Kept {
  kind: KeptKind;
  days: number;
}

function stays(kept: Kept | string): string {
  if (typeof kept === 'string') return kept;
  const { what, why } = KEPT[kept.kind];
  return `${what}: ${kept.days} days, ${why}.`;
}

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
  factors_changed: ({ brand, what, url }: { brand: string; what: FactorChange | string; url: string }) =>
    write({
      subject: `A change to how you sign in to ${brand}`,
      paragraphs: [
        `On your ${brand} account, ${typeof what === 'string' ? what : changed(what)}.`,
        'If it was not you, change your password at once, and write to us.',
      ],
      link: { label: 'See my settings', url },
      closing: brand,
    }),
  account_impersonated: ({
    brand,
    reason,
    at,
    writeTo,
    url,
  }: {
    brand: string;
    reason: string;
    at: string;
    writeTo: string;
    url: string;
  }) =>
    write({
      subject: `${brand} support looks at your account`,
      paragraphs: [
        `On ${at} a member of our support began to look at your ${brand} account as you see it, for half an hour at most: ${reason}`,
        'Nothing can be changed that way, and no password is shown.',
        `If you did not ask for help, write to ${writeTo}.`,
      ],
      link: { label: 'See what happened on my account', url },
      closing: brand,
    }),
  account_suspended: ({ brand, reason, writeTo }: { brand: string; reason: string; writeTo: string }) =>
    write({
      subject: `Your ${brand} account is suspended`,
      paragraphs: [
        `We have suspended your ${brand} account: ${reason}`,
        'Until it is restored nobody can sign in to it, its API keys are refused, and its proxies and servers do not run. Your data, addresses and bandwidth stay. Nothing is charged meanwhile; time that is paid for runs on.',
        `If you think that this is wrong, write to ${writeTo}. A payment does not end the suspension.`,
      ],
      closing: brand,
    }),
  account_restored: ({ brand, reason, url }: { brand: string; reason: string; url: string }) =>
    write({
      subject: `Your ${brand} account is restored`,
      paragraphs: [
        `Your ${brand} account is not suspended any more: ${reason}`,
        'Sign in as before: your proxies work, and servers that were running start by themselves. Renewals that came due meanwhile are asked for from now on.',
      ],
      link: { label: 'Sign in', url },
      closing: brand,
    }),
  account_closed: ({ brand, kept }: { brand: string; kept: readonly (Kept | string)[] }) =>
    write({
      subject: `Your ${brand} account is closed`,
      paragraphs: [`Your ${brand} account is closed, as you asked. What is kept, because it must be:`, ...kept.map(stays)],
      closing: brand,
    }),
} satisfies Record<string, (data: never) => MailText>;
