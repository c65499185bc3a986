import type * as en from '../en/checkout.ts';

export const checkout: typeof en.checkout = {
  title: 'Kasse',
  lead: 'Was Sie hier sehen, wird berechnet, auf den Cent genau.',
  method: 'Wie möchten Sie zahlen?',
  covered: 'Ihr Guthaben deckt den ganzen Preis: Es bleibt nichts zu zahlen.',
  summary: 'Ihre Bestellung',
  toPay: 'Jetzt zu zahlen',
  order: 'Jetzt bestellen',
  afterCredit: 'Es wird sofort bestellt und bezahlt.',
  renews: (months: number, total: string) =>
    `Verlängert sich ${months === 1 ? 'jeden Monat' : `alle ${months} Monate`} für ${total}, bis Sie kündigen.`,
  grants: (amount: string) => `${amount} erhalten Sie als Guthaben zurück.`,
  validFor: 'Dieser Preis gilt noch',
  expired: 'Dieser Preis ist abgelaufen.',
  goBack: 'Gehen Sie zurück und holen Sie einen neuen.',
  noOffer: 'Vervollständigen Sie Ihre Wahl, um den Preis zu sehen.',
  refresh: 'Neuen Preis holen',
  invoicedTo: 'Rechnung an',
  change: 'Ändern',
  add: 'Daten angeben',
  noDetails:
    'Die Rechnung trägt nur Ihre E-Mail-Adresse. Geben Sie Name und Anschrift an, wenn Ihre Buchhaltung sie braucht: Das Land bestimmt die Steuer.',
  countryRequired:
    'Sagen Sie vor dem Bezahlen, wo Sie sind: Die Steuer richtet sich nach Ihrem Land. Kommen Sie dann zurück, der Preis wartet hier mit seiner Steuer.',
  nothingTitle: 'Nichts zu zahlen',
  nothingLead: 'Wählen Sie zuerst ein Produkt; sein Preis führt hierher.',
};
