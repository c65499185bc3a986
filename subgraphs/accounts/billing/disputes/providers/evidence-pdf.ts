// Draws the pack of evidence on A4: what was bought, by whom and from where, and line by line how it was used.
import PDFDocument from 'pdfkit';
import { registerFonts } from '../../invoices/providers/pdf-fonts.ts';
import type { RecordLine } from '../entities/dispute-record.ts';

export interface EvidenceToDraw {
  seller: string;
  made: Date;
  facts: readonly (readonly [string, string])[];
  /** The desk's own statement. */
  statement: string;
  sections: readonly { title: string; lines: readonly RecordLine[] }[];
}

const LEFT = 56;
/** Banks read at most 50 pages, over all files. */
const MAX_PAGES = 40;
const BOTTOM = 770;

export async function drawEvidence({ seller, made, facts, statement, sections }: EvidenceToDraw): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: 56, bottom: 40, left: LEFT, right: LEFT },
    lang: 'en',
    info: { Title: 'Evidence', Author: seller, CreationDate: made, ModDate: made },
  });
  const chunks: Buffer[] = [];
  const finished = new Promise<void>((done, failed) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', done);
    document.on('error', failed);
  });
  let pages = 1;
  document.on('pageAdded', () => (pages += 1));
  registerFonts(document);
  const heading = (text: string, size: number) => document.moveDown(0.8).font('bold').fontSize(size).text(text, LEFT).moveDown(0.3);
  const line = (text: string) => document.font('plain').fontSize(8).text(text, LEFT);

  document.font('bold').fontSize(18).text(`Evidence of ${seller}`, LEFT);
  line(`Made at ${made.toISOString()}. All times are UTC.`);
  heading('The purchase', 12);
  for (const [name, value] of facts) line(`${name}: ${value}`);
  if (statement !== '') {
    heading('What we say', 12);
    line(statement);
  }
  for (const { title, lines } of sections) {
    heading(title, 12);
    if (lines.length === 0) line('Nothing is known.');
    for (const [index, { at, text }] of lines.entries()) {
      if (pages >= MAX_PAGES && document.y > BOTTOM - 30) {
        line(`... and ${lines.length - index} more lines.`);
        break;
      }
      line(`${at}  ${text}`);
    }
  }
  document.end();
  await finished;
  return Buffer.concat(chunks);
}
