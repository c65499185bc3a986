import type * as en from '../en/payment-methods.ts';

export const paymentMethods: typeof en.paymentMethods = {
  CARD: {
    name: 'Karte',
    lead: () => 'Auf der Seite des Kartenabwicklers. Beginnt, sobald die Zahlung bestätigt ist, meist nach Sekunden.',
    pay: (amount: string) => `${amount} mit Karte zahlen`,
    after: 'Sie zahlen auf der Seite des Kartenabwicklers und kommen hierher zurück.',
    toPage: 'Zahlung fortsetzen',
    confirming: {
      title: 'Ihre Zahlung wird bestätigt',
      lead: 'Der Kartenabwickler hat sich gemeldet. Wir warten auf seine Bestätigung; das dauert Sekunden.',
    },
  },
  PAYPAL: {
    name: 'PayPal',
    lead: () => 'Auf der Seite von PayPal. Beginnt, sobald PayPal das Geld hat: in Sekunden, von einem Bankkonto in Tagen.',
    pay: (amount: string) => `${amount} mit PayPal bezahlen`,
    after: 'Sie stimmen auf der Seite von PayPal zu und kommen hierher zurück.',
    toPage: 'Weiter mit PayPal',
    confirming: {
      title: 'Ihre Zahlung wird bestätigt',
      lead: 'Sie haben bei PayPal zugestimmt. Wir ziehen die Zahlung jetzt ein; das dauert Sekunden.',
    },
    promised: {
      title: 'PayPal wartet auf das Geld',
      lead: 'Ihre Bank sendet es an PayPal, das dauert einige Tage. Sie müssen nichts tun; diese Seite folgt von selbst.',
    },
    saved: 'PayPal-Konto',
    noneSaved: 'Noch ist kein PayPal-Konto gespeichert.',
    add: 'PayPal-Konto speichern',
    declined:
      'Wird abgelehnt, was Sie bei PayPal gewählt haben, fahren Sie dort fort und wählen etwas anderes: Es wurde nichts eingezogen.',
  },
  CRYPTO: {
    name: 'Kryptowährung',
    lead: (span: string) =>
      `Der Kurs gilt ${span}. Beginnt, wenn das Netz die Transaktion bestätigt hat. Was zu viel, zu wenig oder zu spät ist, wird Guthaben.`,
    pay: (amount: string) => `${amount} mit Krypto zahlen`,
    after: 'Die nächste Seite führt zur Zahlungsseite und verfolgt Ihre Transaktion.',
    open: 'Zahlungsseite holen',
    toPage: 'Zahlungsseite öffnen',
    openFirst: {
      title: 'Wartet auf Ihre Zahlung',
      lead: 'Holen Sie die Zahlungsseite, wenn Sie bereit sind: Ihr Kurs gilt für begrenzte Zeit.',
    },
    coins: 'Ihre Coins',
    due: 'Fällig',
    seen: 'Gesehen',
    confirmed: 'Bestätigt',
    credited: 'Zu Guthaben geworden',
    states: {
      WAITING: { title: 'Wartet auf Ihre Coins', lead: 'Im Netz ist noch nichts erschienen. Diese Seite verfolgt es von selbst.' },
      PARTIAL: {
        title: 'Ein Teil ist angekommen',
        lead: 'Senden Sie den Rest rechtzeitig an dieselbe Adresse, sonst wird das Angekommene Guthaben.',
      },
      CONFIRMING: {
        title: 'Wartet auf die Bestätigung',
        lead: 'Alles ist im Netz erschienen. Sie müssen nichts tun; es kann Minuten bis eine Stunde dauern.',
      },
    },
  },
  BANK_TRANSFER: {
    name: 'Überweisung',
    lead: (span: string) => `Sie haben ${span}. Beginnt, wenn der Support den Eingang gesehen hat.`,
    pay: (amount: string) => `Bestellen und ${amount} überweisen`,
    after: 'Die nächste Seite zeigt Betrag und Verwendungszweck der Überweisung.',
    waiting: {
      title: 'Wartet auf Ihre Überweisung',
      lead: 'Es geht weiter, sobald der Support den Eingang gesehen hat. Wir schreiben Ihnen dann.',
    },
    transferTo: 'Überweisen an',
    noBank: 'Der Support schickt Ihnen unsere Bankverbindung per E-Mail.',
    reference: 'Verwendungszweck',
    amount: 'Betrag',
    until: 'Bis',
  },
};
