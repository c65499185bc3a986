import type * as en from '../en/checkout.ts';

export const checkout: typeof en.checkout = {
  title: 'Kasse',
  lead: 'Was Sie hier sehen, wird berechnet, auf den Cent genau.',
  method: 'Wie möchten Sie zahlen?',
  methods: {
    CARD: {
      name: 'Karte',
      lead: 'Auf der Seite des Kartenabwicklers. Beginnt, sobald die Zahlung bestätigt ist, meist nach Sekunden.',
    },
    CRYPTO: {
      name: 'Kryptowährung',
      lead: 'Der Kurs gilt eine Stunde. Beginnt, wenn das Netz die Transaktion bestätigt hat. Was zu viel, zu wenig oder zu spät ist, wird Guthaben.',
    },
    BANK_TRANSFER: { name: 'Überweisung', lead: 'Sie haben 14 Tage. Beginnt, wenn der Support den Eingang gesehen hat.' },
  },
  covered: 'Ihr Guthaben deckt den ganzen Preis: Es bleibt nichts zu zahlen.',
  summary: 'Ihre Bestellung',
  toPay: 'Jetzt zu zahlen',
  order: 'Jetzt bestellen',
  pay: {
    CARD: (amount: string) => `${amount} mit Karte zahlen`,
    CRYPTO: (amount: string) => `${amount} mit Krypto zahlen`,
    BANK_TRANSFER: (amount: string) => `Bestellen und ${amount} überweisen`,
  },
  after: {
    CARD: 'Sie zahlen auf der Seite des Kartenabwicklers und kommen hierher zurück.',
    CRYPTO: 'Die nächste Seite führt zur Zahlungsseite und verfolgt Ihre Transaktion.',
    BANK_TRANSFER: 'Die nächste Seite zeigt Betrag und Verwendungszweck der Überweisung.',
    CREDIT: 'Es wird sofort bestellt und bezahlt.',
  },
  renews: (months: number, total: string) =>
    `Verlängert sich ${months === 1 ? 'jeden Monat' : `alle ${months} Monate`} für ${total}, bis Sie kündigen.`,
  grants: (amount: string) => `${amount} erhalten Sie als Guthaben zurück.`,
  validFor: 'Dieser Preis gilt noch',
  expired: 'Dieser Preis ist abgelaufen. Gehen Sie zurück und holen Sie einen neuen.',
  invoicedTo: 'Rechnung an',
  change: 'Ändern',
  add: 'Daten angeben',
  noDetails:
    'Die Rechnung trägt nur Ihre E-Mail-Adresse. Geben Sie Name und Anschrift an, wenn Ihre Buchhaltung sie braucht, bevor Sie einen Preis holen: Das Land bestimmt die Steuer.',
  nothingTitle: 'Nichts zu zahlen',
  nothingLead: 'Wählen Sie zuerst ein Produkt; sein Preis führt hierher.',
  orderPage: {
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
    openFirst: { title: 'Wartet auf Ihre Zahlung', lead: 'Holen Sie die Zahlungsseite, wenn Sie bereit sind: Der Kurs gilt eine Stunde.' },
    open: 'Zahlungsseite holen',
    toSubscription: 'Zum Abonnement',
    toPayment: 'Zahlungsseite öffnen',
    transferTitle: 'Wartet auf Ihre Überweisung',
    transferLead: 'Es geht weiter, sobald der Support den Eingang gesehen hat. Wir schreiben Ihnen dann.',
    transferTo: 'Überweisen an',
    noBank: 'Der Support schickt Ihnen unsere Bankverbindung per E-Mail.',
    reference: 'Verwendungszweck',
    amount: 'Betrag',
    until: 'Bis',
  },
};
