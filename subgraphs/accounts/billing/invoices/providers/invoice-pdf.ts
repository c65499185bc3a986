// An invoice on A4, drawn from what was stored when it was issued: the same invoice gives the same page at any time.
import PDFDocument from 'pdfkit';
import { toDay } from '#platform/clock.ts';
import { formatNumber, formatRate, unitPriceOf } from '../domain/invoice.ts';
import type { Party } from '../../tax/domain/taxed-buyer.ts';
import type { Invoice } from '../entities/invoice.ts';
import type { InvoiceSettlement } from '../entities/invoice-settlement.ts';
import { INVOICE_WORDS } from '../domain/invoice-words.ts';
import { labelOf } from '../../payments/providers/payment-methods.ts';
import { type Weight, registerFonts } from './pdf-fonts.ts';

export interface InvoiceToDraw {
  invoice: Invoice;
  settlements: readonly InvoiceSettlement[];
  /** Of a credit note: the number of the invoice that it corrects. */
  corrects?: string;
  /** Of an invoice that was issued anew: the number of the one that it stands for. */
  replaces?: string;
}

/** Millimetres are not the measure of PDF: 72 points to the inch. A4 is 595 wide. */
const LEFT = 56;
const WIDTH = 483;
const MIDDLE = LEFT + WIDTH / 2 + 10;
const COLUMNS = {
  what: { at: LEFT, width: 245 },
  count: { at: LEFT + 250, width: 50 },
  unit: { at: LEFT + 305, width: 75 },
  amount: { at: LEFT + 385, width: 98 },
};
const SIZE = { title: 20, text: 9.5, small: 8 };
const GREY = '#666666';
const BOTTOM = 770;

export async function drawInvoice({ invoice, settlements, corrects, replaces }: InvoiceToDraw): Promise<Buffer> {
  const number = formatNumber(invoice);
  const isNote = invoice.kind === 'CREDIT_NOTE';
  const words = INVOICE_WORDS[invoice.language];
  const title = isNote ? words.creditNote : words.invoice;
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: 56, bottom: 40, left: LEFT, right: LEFT },
    lang: invoice.language,
    info: { Title: `${title} ${number}`, Author: invoice.seller.name, CreationDate: invoice.issuedAt, ModDate: invoice.issuedAt },
  });
  const chunks: Buffer[] = [];
  const finished = new Promise<void>((done, failed) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', done);
    document.on('error', failed);
  });
  registerFonts(document);
  const money = (amountMinor: number) => words.sum({ amountMinor, currency: invoice.currency });
  const day = (at: Date) => words.day(toDay(at));
  const pen = penOf(document);

  pen.bold(title, LEFT, SIZE.title);
  pen.down(8);
  const facts: [string, string][] = [
    [isNote ? words.creditNoteNumber : words.invoiceNumber, number],
    [isNote ? words.date : words.dateOfSupply, day(invoice.issuedAt)],
    ...(corrects === undefined ? [] : ([[words.corrects, corrects]] as [string, string][])),
    ...(replaces === undefined ? [] : ([[words.replaces, replaces]] as [string, string][])),
    ...(invoice.orderId === null ? [] : ([[words.order, invoice.orderId]] as [string, string][])),
    ...(invoice.periodStart && invoice.periodEnd
      ? ([[words.period, words.fromTo(day(invoice.periodStart), day(invoice.periodEnd))]] as [string, string][])
      : []),
  ];
  for (const [name, value] of facts) pen.pair(name, value);
  pen.down(18);

  const top = document.y;
  pen.party(words.seller, invoice.seller, LEFT, words.taxId);
  const low = document.y;
  document.y = top;
  pen.party(words.buyer, invoice.buyer, MIDDLE, words.taxId);
  document.y = Math.max(low, document.y) + 22;

  pen.row([words.description, words.quantity, words.unitPrice, words.amount], 'bold');
  pen.rule();
  for (const line of invoice.lines) pen.row([line.label, String(line.quantity), words.decimal(unitPriceOf(line)), money(line.amountMinor)]);
  pen.rule();
  pen.sum(words.subtotal, money(invoice.subtotalMinor));
  pen.sum(words.tax(formatRate(invoice.taxBasisPoints)), money(invoice.taxMinor));
  pen.sum(words.total, money(invoice.totalMinor), 'bold');
  if (invoice.localTax) {
    const { currency, day: rateOf, perDollar, source } = invoice.localTax;
    pen.sum(words.taxIn(currency), words.sum(invoice.localTax));
    pen.text(`1 ${invoice.currency} = ${words.decimal(perDollar)} ${currency}, ${words.day(rateOf)}, ${source}`, LEFT, WIDTH);
  }
  if (invoice.reverseCharge) {
    pen.down(6);
    pen.text(words.reverseCharge, LEFT, WIDTH);
  }
  pen.down(6);
  for (const { method, amountMinor, shortMinor, settledAt } of settlements) {
    pen.sum((isNote ? words.givenBack : words.paid)(labelOf(method, invoice.language), day(settledAt)), money(amountMinor - shortMinor));
    if (shortMinor > 0) pen.sum(words.letGo, money(shortMinor));
  }
  const settled = settlements.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (!isNote) pen.sum(words.due, money(invoice.totalMinor - settled), 'bold');
  if (isNote && invoice.note) {
    pen.down(14);
    pen.text(words.reason(invoice.note), LEFT, WIDTH);
  }
  document.end();
  await finished;
  return Buffer.concat(chunks);
}

/** The few strokes that the page is made of. Each leaves the position under what it has drawn, on the next page when this one is full. */
function penOf(document: PDFKit.PDFDocument) {
  const write = (text: string, at: number, options: PDFKit.Mixins.TextOptions, weight: Weight, size: number) =>
    document.font(weight).fontSize(size).fillColor('black').text(text, at, document.y, options);
  const room = (height: number) => {
    if (document.y + height > BOTTOM) document.addPage();
  };
  const cells = (columns: { text: string; at: number; width: number; align?: 'right' }[], weight: Weight) => {
    document.font(weight).fontSize(SIZE.text);
    const height = Math.max(...columns.map(({ text, width }) => document.heightOfString(text, { width })));
    room(height + 5);
    const top = document.y;
    for (const { text, at, width, align } of columns) {
      document.y = top;
      write(text, at, { width, ...(align && { align }) }, weight, SIZE.text);
    }
    document.y = top + height + 5;
  };
  return {
    down: (points: number) => void (document.y += points),
    text: (text: string, at: number, width: number) => void write(text, at, { width }, 'plain', SIZE.text),
    bold: (text: string, at: number, size: number) => void write(text, at, {}, 'bold', size),
    pair: (name: string, value: string) =>
      cells(
        [
          { text: name, at: LEFT, width: 170 },
          { text: value, at: LEFT + 180, width: 300 },
        ],
        'plain',
      ),
    party(title: string, { name, address, country, taxId, email }: Party, at: number, taxIdIs: (id: string) => string) {
      const width = WIDTH / 2 - 10;
      document.font('plain').fontSize(SIZE.small).fillColor(GREY).text(title, at, document.y, { width });
      write(name, at, { width }, 'bold', SIZE.text);
      for (const line of [...address, country, taxId && taxIdIs(taxId), email]) if (line) write(line, at, { width }, 'plain', SIZE.text);
    },
    row: ([what, count, unit, amount]: [string, string, string, string], weight: Weight = 'plain') =>
      cells(
        [
          { text: what, ...COLUMNS.what },
          { text: count, ...COLUMNS.count, align: 'right' },
          { text: unit, ...COLUMNS.unit, align: 'right' },
          { text: amount, ...COLUMNS.amount, align: 'right' },
        ],
        weight,
      ),
    sum: (what: string, amount: string, weight: Weight = 'plain') =>
      cells(
        [
          { text: what, at: LEFT + 150, width: 225 },
          { text: amount, ...COLUMNS.amount, align: 'right' },
        ],
        weight,
      ),
    rule() {
      document
        .moveTo(LEFT, document.y)
        .lineTo(LEFT + WIDTH, document.y)
        .lineWidth(0.5)
        .strokeColor(GREY)
        .stroke();
      document.y += 6;
    },
  };
}
