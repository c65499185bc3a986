// CSV files for spreadsheets, RFC 4180.

/** A spreadsheet takes a cell that begins like this for a formula, and many texts come from strangers. */
const FORMULA = /^[=+\-@\t\r](?!\d+(\.\d+)?$)/;

const cell = (value: string | null): string => {
  const text = value === null ? '' : FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** One line with its line end. Null is an empty cell; a text that a spreadsheet would compute gets an apostrophe in front. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(cell).join(',')}\r\n`;
