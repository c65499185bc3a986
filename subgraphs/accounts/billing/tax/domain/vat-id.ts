// The forms of the VAT ids of the member states. Source: the European Commission's VIES, frequently asked questions, question 11.

/** Country of ISO 3166 -> the prefix of its ids in the register, where that is another code. Source: the same, question 2. */
const PREFIXES: Readonly<Record<string, string>> = { GR: 'EL' };

/** Member state -> the form of the number after the prefix. Northern Ireland is missing, because its ids are only for goods. */
const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{9}B[A-Z0-9+*]{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** Whether a country, by its code of ISO 3166, is a member state of the European Union. */
export const isMemberState = (country: string | null): boolean => Object.hasOwn(FORMS, country ?? '');

/** An id as the register expects it: "DE" and "123456789". */
export interface VatId {
  prefix: string;
  number: string;
}

/** Parses an id of a member state, written with or without prefix, spaces, dots and dashes; undefined: it is not an id of that state. */
export function toVatId(country: string, written: string): VatId | undefined {
  const prefix = PREFIXES[country] ?? country;
  const text = written.toUpperCase().replaceAll(/[ ./-]/g, '');
  // An id of another state.
  if (!text.startsWith(prefix) && Object.keys(FORMS).some((state) => text.startsWith(PREFIXES[state] ?? state))) return undefined;
  // A French number may begin with the letters of its prefix.
  const number = [text.slice(prefix.length), text].find(
    (rest) => (rest === text || text.startsWith(prefix)) && FORMS[country]?.test(rest) === true,
  );
  return number === undefined ? undefined : { prefix, number };
}

/** The id as it is stored and printed. */
export const formatVatId = ({ prefix, number }: VatId): string => prefix + number;

/** Splits an id in the stored form. */
export const splitVatId = (stored: string): VatId => ({ prefix: stored.slice(0, 2), number: stored.slice(2) });
