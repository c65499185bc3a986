// Mails about the ways into an account, in German.
import { KEPT_DE } from '../../../../schema/codes/de/kept.ts';
import { minute, write } from '../../mail/domain/german.ts';
import type { ToCustomers } from '../../mail/domain/staff-mail.ts';
import { type ACCESS_MAILS, type ChangeTexts, changeBy } from './access-mails.ts';

const CHANGES: ChangeTexts = {
  chat_linked: (name) => `wurde das Chat-Konto ${name} verknüpft`,
  chat_unlinked: (name) => `wurde das Chat-Konto ${name} getrennt`,
  passkey_added: (name) => `wurde der Passkey „${name}“ hinzugefügt`,
  passkey_removed: (name) => `wurde der Passkey „${name}“ entfernt`,
  totp_added: () => 'wurde eine Authenticator-App eingerichtet',
  totp_removed: () => 'wurde die Authenticator-App entfernt',
  recovery_codes_renewed: () => 'wurden neue Wiederherstellungscodes erzeugt',
  factors_removed: () => 'hat der Support die zweiten Faktoren entfernt, wie Sie es wollten',
};
const changed = changeBy(CHANGES);

/** Translates the English name that `deviceOf` gives a device. */
const device = (named: string): string => (named === 'an unknown device' ? 'einem unbekannten Gerät' : named.replace(' on ', ' unter '));

const within = (hours: number): string => (hours === 1 ? 'innerhalb einer Stunde' : `innerhalb von ${hours} Stunden`);

/** Kind of mail -> a function from the mail's data to its German text. */
export const ACCESS_MAILS_DE: ToCustomers<typeof ACCESS_MAILS> = {
  verify_email: ({ brand, url, hours }) =>
    write({
      subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${brand}`,
      paragraphs: [
        `Sie, oder jemand mit Ihrer Adresse, haben sich bei ${brand} registriert.`,
        `Wenn Sie es waren, folgen Sie dem Link ${within(hours)} und melden Sie sich mit dem Passwort an, das Sie gewählt haben. Wenn nicht, ignorieren Sie diese E-Mail: Ohne dieses Passwort öffnet der Link nichts.`,
      ],
      link: { label: 'Meine Adresse bestätigen', url },
      closing: brand,
    }),
  account_exists: ({ brand, url }) =>
    write({
      subject: `Sie haben schon ein Konto bei ${brand}`,
      paragraphs: [
        `Jemand hat sich mit dieser Adresse bei ${brand} registriert. Sie hat schon ein Konto, deshalb wurde nichts geändert.`,
        'Wenn Sie es waren, melden Sie sich mit Ihrem Passwort an.',
      ],
      link: { label: 'Anmelden', url },
      closing: brand,
    }),
  recover: ({ brand, url, hours }) =>
    write({
      subject: `Wählen Sie ein neues Passwort für ${brand}`,
      paragraphs: [
        `Jemand hat ein neues Passwort für Ihr Konto bei ${brand} angefordert.`,
        `Wenn Sie es waren, wählen Sie ${within(hours)} eines: Sie werden dann überall abgemeldet. Wenn nicht, ignorieren Sie diese E-Mail: Es hat sich nichts geändert.`,
      ],
      link: { label: 'Neues Passwort wählen', url },
      closing: brand,
    }),
  password_changed: ({ brand, url }) =>
    write({
      subject: `Ihr Passwort bei ${brand} wurde geändert`,
      paragraphs: [
        `Das Passwort Ihres Kontos bei ${brand} wurde geändert, und Ihre anderen Sitzungen sind beendet.`,
        'Wenn Sie es nicht waren, setzen Sie Ihr Passwort sofort zurück und schreiben Sie uns.',
      ],
      link: { label: 'Meine Einstellungen ansehen', url },
      closing: brand,
    }),
  email_change_old: ({ brand, email, url, hours }) =>
    write({
      subject: `Bestätigen Sie die neue Adresse Ihres Kontos bei ${brand}`,
      paragraphs: [
        `Ihr Konto bei ${brand} soll statt dieser die Adresse ${email} haben.`,
        `Wenn das stimmt, folgen Sie dem Link ${within(hours)}, während Sie angemeldet sind. Wenn nicht, ändern Sie Ihr Passwort: Jemand anders ist in Ihrem Konto angemeldet.`,
      ],
      link: { label: 'Diese Adresse aufgeben', url },
      closing: brand,
    }),
  email_change_new: ({ brand, url, hours }) =>
    write({
      subject: `Bestätigen Sie diese Adresse für Ihr Konto bei ${brand}`,
      paragraphs: [
        `Diese Adresse soll zu einem Konto bei ${brand} gehören.`,
        `Wenn es Ihres ist, folgen Sie dem Link ${within(hours)}, während Sie angemeldet sind. Wenn Sie kein solches Konto haben, ignorieren Sie diese E-Mail: Es geschieht nichts.`,
      ],
      link: { label: 'Diese Adresse bestätigen', url },
      closing: brand,
    }),
  email_changed: ({ brand, email }) =>
    write({
      subject: `Die Adresse Ihres Kontos bei ${brand} wurde geändert`,
      paragraphs: [
        `Ihr Konto bei ${brand} hat jetzt die Adresse ${email}. Diese hier gehört nicht mehr dazu.`,
        'Wenn Sie es nicht waren, schreiben Sie uns sofort.',
      ],
      closing: brand,
    }),
  new_log_in: ({ brand, device: named, address, at, url }) =>
    write({
      subject: `Neue Anmeldung in Ihrem Konto bei ${brand}`,
      paragraphs: [
        `Jemand hat sich am ${minute(at)} mit ${device(named)} von der Adresse ${address} in Ihrem Konto bei ${brand} angemeldet.`,
        'Wenn Sie es waren, ist nichts zu tun. Wenn nicht, beenden Sie diese Sitzung und ändern Sie Ihr Passwort.',
      ],
      link: { label: 'Meine Sitzungen ansehen', url },
      closing: brand,
    }),
  device_link: ({ brand, url, hours }) =>
    write({
      subject: `Sie sind es: Melden Sie sich bei ${brand} an`,
      paragraphs: [
        `Jemand konnte sich nicht in Ihrem Konto bei ${brand} anmelden, weil es dafür zu viele falsche Passwörter gab.`,
        `Wenn Sie es waren, folgen Sie dem Link ${within(hours)} in dem Browser, mit dem Sie sich anmelden wollen: Er muss nicht mehr warten. Wenn nicht, ignorieren Sie diese E-Mail: Der Link öffnet nichts ohne Ihr Passwort.`,
      ],
      link: { label: 'Ich war es', url },
      closing: brand,
    }),
  second_factor_wrong: ({ brand, device: named, address, at, url }) =>
    write({
      subject: `Falscher zweiter Faktor bei Ihrem Konto bei ${brand}`,
      paragraphs: [
        `Jemand hat sich am ${minute(at)} mit ${device(named)} von der Adresse ${address} in Ihrem Konto bei ${brand} mit dem richtigen Passwort angemeldet und einen falschen Code angegeben.`,
        'Wenn Sie sich beim Code vertippt haben, ist nichts zu tun. Wenn Sie es nicht waren, kennt jemand anders Ihr Passwort: Ändern Sie es sofort.',
      ],
      link: { label: 'Mein Passwort ändern', url },
      closing: brand,
    }),
  factors_changed: ({ brand, what, url }) =>
    write({
      subject: `Eine Änderung Ihrer Anmeldung bei ${brand}`,
      paragraphs: [
        typeof what === 'string'
          ? `In Ihrem Konto bei ${brand} hat sich etwas geändert: ${what}.`
          : `In Ihrem Konto bei ${brand} ${changed(what)}.`,
        'Wenn Sie es nicht waren, ändern Sie sofort Ihr Passwort und schreiben Sie uns.',
      ],
      link: { label: 'Meine Einstellungen ansehen', url },
      closing: brand,
    }),
  account_impersonated: ({ brand, reason, at, writeTo, url }) =>
    write({
      subject: `Der Support von ${brand} sieht sich Ihr Konto an`,
      paragraphs: [
        `Am ${minute(at)} hat der Support begonnen, Ihr Konto bei ${brand} so anzusehen, wie Sie es sehen, höchstens eine halbe Stunde lang: ${reason}`,
        'So lässt sich nichts ändern, und kein Passwort wird gezeigt.',
        `Wenn Sie nicht um Hilfe gebeten haben, schreiben Sie an ${writeTo}.`,
      ],
      link: { label: 'Ansehen, was im Konto geschehen ist', url },
      closing: brand,
    }),
  account_suspended: ({ brand, reason, writeTo }) =>
    write({
      subject: `Ihr Konto bei ${brand} ist gesperrt`,
      paragraphs: [
        `Wir haben Ihr Konto bei ${brand} gesperrt: ${reason}`,
        'Bis es wieder freigegeben ist, kann sich niemand darin anmelden, seine API-Schlüssel werden abgewiesen, und seine Proxys und Server laufen nicht. Ihre Daten, Adressen und Ihr Datenvolumen bleiben. Inzwischen wird nichts abgebucht; bezahlte Zeit läuft weiter.',
        `Wenn Sie meinen, dass das falsch ist, schreiben Sie an ${writeTo}. Eine Zahlung beendet die Sperre nicht.`,
      ],
      closing: brand,
    }),
  account_restored: ({ brand, reason, url }) =>
    write({
      subject: `Ihr Konto bei ${brand} ist wieder freigegeben`,
      paragraphs: [
        `Ihr Konto bei ${brand} ist nicht mehr gesperrt: ${reason}`,
        'Melden Sie sich wie zuvor an: Ihre Proxys arbeiten, und Server, die liefen, starten von selbst. Verlängerungen, die inzwischen fällig wurden, werden ab jetzt angefordert.',
      ],
      link: { label: 'Anmelden', url },
      closing: brand,
    }),
  account_closed: ({ brand, kept }) =>
    write({
      subject: `Ihr Konto bei ${brand} ist geschlossen`,
      paragraphs: [
        `Ihr Konto bei ${brand} ist geschlossen, wie Sie es wollten. Was aufbewahrt wird, weil es sein muss:`,
        ...kept.map((one) =>
          typeof one === 'string' ? one : `${KEPT_DE[one.kind].what}: ${one.days.toLocaleString('de-DE')} Tage, ${KEPT_DE[one.kind].why}.`,
        ),
      ],
      closing: brand,
    }),
};
