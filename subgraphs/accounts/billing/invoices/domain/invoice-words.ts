// What stands printed on an invoice and a credit note, in each language.
import { type Money, formatMoney } from '#commerce/money.ts';
import type { Language } from '#platform/language.ts';
import { day, decimal, sum } from '../../../mail/domain/german.ts';
import { REVERSE_CHARGE } from '../../tax/domain/tax-rule.ts';

const asItIs = (text: string): string => text;

const ENGLISH = {
  invoice: 'Invoice',
  creditNote: 'Credit note',
  invoiceNumber: 'Invoice number',
  creditNoteNumber: 'Credit note number',
  date: 'Date',
  dateOfSupply: 'Date of invoice and supply',
  corrects: 'Corrects invoice',
  replaces: 'Replaces invoice',
  order: 'Order',
  period: 'Period',
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  seller: 'Seller',
  buyer: 'Buyer',
  taxId: (id: string) => `Tax id: ${id}`,
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  amount: 'Amount',
  subtotal: 'Subtotal',
  tax: (percent: string) => `Tax ${percent} %`,
  total: 'Total',
  taxIn: (currency: string) => `Tax in ${currency}`,
  reverseCharge: REVERSE_CHARGE as string,
  paid: (method: string, on: string) => `Paid by ${method} on ${on}`,
  givenBack: (method: string, on: string) => `Given back by ${method} on ${on}`,
  letGo: 'Kept by a bank on the way, and let go',
  due: 'Amount due',
  reason: (note: string) => `Reason: ${note}`,
  sum: formatMoney,
  /** A day such as 2026-02-15. */
  day: asItIs,
  /** A number such as 0.8654. */
  decimal: asItIs,
};

const GERMAN: typeof ENGLISH = {
  invoice: 'Rechnung',
  // Not "Gutschrift": that is an invoice which the buyer writes (§ 14 Abs. 4 Nr. 10 UStG).
  creditNote: 'Rechnungskorrektur',
  invoiceNumber: 'Rechnungsnummer',
  creditNoteNumber: 'Nummer der Rechnungskorrektur',
  date: 'Datum',
  dateOfSupply: 'Rechnungs- und Leistungsdatum',
  corrects: 'Berichtigt Rechnung',
  replaces: 'Ersetzt Rechnung',
  order: 'Bestellung',
  period: 'Zeitraum',
  fromTo: (from, to) => `${from} bis ${to}`,
  seller: 'Verkäufer',
  buyer: 'Käufer',
  taxId: (id) => `Steuernummer: ${id}`,
  description: 'Beschreibung',
  quantity: 'Menge',
  unitPrice: 'Einzelpreis',
  amount: 'Betrag',
  subtotal: 'Zwischensumme',
  tax: (percent) => `Steuer ${decimal(percent)} %`,
  total: 'Gesamt',
  taxIn: (currency) => `Steuer in ${currency}`,
  // The mention of Article 226 (11a) of Directive 2006/112/EC in its German wording.
  reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers (Artikel 196 der Richtlinie 2006/112/EG).',
  paid: (method, on) => `Bezahlt per ${method} am ${on}`,
  givenBack: (method, on) => `Zurückgegeben per ${method} am ${on}`,
  letGo: 'Von einer Bank unterwegs einbehalten, erlassen',
  due: 'Noch zu zahlen',
  reason: (note) => `Grund: ${note}`,
  sum: (money: Money) => sum(formatMoney(money)),
  day,
  decimal,
};

export const INVOICE_WORDS: Readonly<Record<Language, typeof ENGLISH>> = { en: ENGLISH, de: GERMAN };
