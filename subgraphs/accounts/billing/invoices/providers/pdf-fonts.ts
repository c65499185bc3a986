// The letters of all PDFs. They are opened once: every document of its own would decode their tables anew, five sixths of all its work.
// Embedded, and not the PDF's own fourteen, which have none outside of Western Europe: a buyer may be in Łódź or in Αθήνα.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';

const FILES = { plain: 'DejaVuSans', bold: 'DejaVuSans-Bold' } as const;
export type Weight = keyof typeof FILES;

const open = (weight: Weight): object =>
  create(readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${FILES[weight]}.ttf`))));
let opened: Record<Weight, object> | undefined;

/** From now on the document knows them as `plain` and `bold`. */
export function registerFonts(document: PDFKit.PDFDocument): void {
  opened ??= { plain: open('plain'), bold: open('bold') };
  // The package takes an opened font as it takes the bytes of one; its types do not say so.
  for (const [weight, font] of Object.entries(opened)) document.registerFont(weight, font as Buffer);
}
