// Mails about renewals, in German.
import { day, sum, write } from '../../../mail/domain/german.ts';
import { sayIn } from '../../../mail/domain/said.ts';
import type { ToCustomers } from '../../../mail/domain/staff-mail.ts';
import type { WhatToDo } from '../../payments/domain/what-to-do.ts';
import { type RENEWAL_MAILS, isWhatToDo } from './renewal-mails.ts';

const WHAT_TO_DO: Readonly<Record<WhatToDo, string>> = {
  other_means: 'Bitte wählen Sie eine andere Karte oder eine andere Zahlungsart: Ihre Bank nimmt diese nicht an.',
  ask_bank: 'Ihre Bank sagt uns nicht, warum. Bitte fragen Sie sie, oder zahlen Sie mit einer anderen Karte.',
  add_money: 'Bitte sorgen Sie dafür, dass die Karte für den Betrag gedeckt ist, oder zahlen Sie mit einer anderen Karte.',
  check_details: 'Bitte geben Sie die Karte mit ihren jetzigen Angaben noch einmal an, oder wählen Sie eine andere.',
  wait: 'Es ist nichts zu tun: Der nächste Versuch kann gelingen.',
};

/** Kind of mail -> a function from the mail's data to its German text. */
export const RENEWAL_MAILS_DE: ToCustomers<typeof RENEWAL_MAILS> = {
  renewal_upcoming: ({ brand, title, amount, on, lastFour, url }) =>
    write({
      subject: `Verlängert sich am ${day(on)}: ${title}`,
      paragraphs: [
        lastFour
          ? `Am ${day(on)} beginnt der nächste Zeitraum von ${title}. Von Ihrer Karte mit der Endung ${lastFour} werden ${sum(amount)} abgebucht, abzüglich Ihres Guthabens.`
          : lastFour === null
            ? `Am ${day(on)} beginnt der nächste Zeitraum von ${title}. Dafür werden ${sum(amount)} abgebucht, abzüglich Ihres Guthabens.`
            : `Am ${day(on)} beginnt der nächste Zeitraum von ${title}. Er kostet ${sum(amount)}, und es gibt keine Karte, von der abgebucht werden kann: Bitte geben Sie eine an.`,
        'Bis dahin können Sie kündigen, die Karte wechseln oder anders zahlen.',
      ],
      link: { label: 'Meine Abonnements ansehen', url },
      closing: brand,
    }),
  card_expires: ({ brand, title, amount, on, lastFour, expires, url }) =>
    write({
      subject: `Ihre Karte läuft ab, bevor sich ${title} verlängert`,
      paragraphs: [
        `Am ${day(on)} beginnt der nächste Zeitraum von ${title} und kostet ${sum(amount)}. Ihre Karte mit der Endung ${lastFour} läuft ${expires} ab, vor diesem Tag.`,
        'Bitte wählen Sie eine andere Karte, oder geben Sie diese mit ihrem neuen Datum noch einmal an.',
      ],
      link: { label: 'Meine Abonnements ansehen', url },
      closing: brand,
    }),
  renewal_due: ({ brand, title, amount, due, url }) =>
    write({
      subject: `Bis zum ${day(due)} zu zahlen: ${title}`,
      paragraphs: [
        `Der nächste Zeitraum von ${title} beginnt am ${day(due)}. Er kostet ${sum(amount)}; die Seite der Verlängerung sagt, wie Sie zahlen.`,
      ],
      link: { label: 'Verlängerung bezahlen', url },
      closing: brand,
    }),
  renewal_failed: ({ brand, title, reason, amount, attempt, attempts, next, advice, url }) =>
    write({
      subject: `Ihre Zahlung für ${title} ist fehlgeschlagen`,
      paragraphs: [
        `Die Verlängerung von ${title} für ${sum(amount)} ist nicht gelungen: ${sayIn('de', reason)} Das war Versuch ${attempt} von ${attempts}.`,
        `Noch hat sich nichts geändert. Wir versuchen es am ${day(next)} noch einmal; Sie können auch jetzt zahlen, oder mit einer anderen Karte.`,
        ...(advice ? [isWhatToDo(advice) ? WHAT_TO_DO[advice] : advice] : []),
      ],
      link: { label: 'Jetzt bezahlen', url },
      closing: brand,
    }),
  renewal_card_refused: ({ brand, title, reason, amount, until, url }) =>
    write({
      subject: `Für ${title} wird eine andere Karte gebraucht`,
      paragraphs: [
        `Die Verlängerung von ${title} für ${sum(amount)} ist nicht gelungen: ${sayIn('de', reason)} Mit dieser Karte versuchen wir es nicht noch einmal.`,
        `Noch hat sich nichts geändert. ${WHAT_TO_DO.other_means} Wenn bis zum ${day(until)} nichts bezahlt ist, wird es angehalten.`,
      ],
      link: { label: 'Jetzt bezahlen', url },
      closing: brand,
    }),
  renewal_suspended: ({ brand, title, reason, amount, attempt, attempts, graceDays, url }) =>
    write({
      subject: `Angehalten: ${title}`,
      paragraphs: [
        `Die Verlängerung von ${title} für ${sum(amount)} ist nicht gelungen: ${sayIn('de', reason)} Das war Versuch ${attempt} von ${attempts}, deshalb ist es jetzt angehalten.`,
        `Zahlen Sie innerhalb von ${graceDays} Tagen, und es geht weiter wie zuvor, mit denselben Adressen und Daten. Danach wird es endgültig entfernt.`,
      ],
      link: { label: 'Jetzt bezahlen', url },
      closing: brand,
    }),
  removal_near: ({ brand, title, on, url }) =>
    write({
      subject: `Wird am ${day(on)} entfernt: ${title}`,
      paragraphs: [
        `${title} ist angehalten, weil die Verlängerung nicht bezahlt ist. Am ${day(on)} wird es mit seinen Daten endgültig entfernt, wenn es nicht vorher bezahlt wird.`,
      ],
      link: { label: 'Jetzt bezahlen', url },
      closing: brand,
    }),
  subscription_ended_by_support: ({ brand, title, reason, on, url }) =>
    write({
      subject: on === null ? `Beendet: ${title}` : `Endet am ${day(on)}: ${title}`,
      paragraphs: [
        on === null
          ? `Wir haben ${title} beendet, und was damit bezahlt war, ist entfernt: ${reason}`
          : `Wir beenden ${title} am ${day(on)}, mit dem bezahlten Zeitraum: ${reason}`,
        'Davon wird nichts mehr abgebucht.',
      ],
      link: { label: 'Meine Abonnements ansehen', url },
      closing: brand,
    }),
  subscription_ended: ({ brand, title, unpaid, url }) =>
    write({
      subject: `Beendet: ${title}`,
      paragraphs: [
        unpaid
          ? `Die Verlängerung von ${title} wurde nicht bezahlt, deshalb wurde es entfernt. Davon wird nichts mehr abgebucht.`
          : `${title} ist beendet, wie Sie es wollten. Davon wird nichts mehr abgebucht.`,
      ],
      link: { label: 'Meine Abonnements ansehen', url },
      closing: brand,
    }),
};
