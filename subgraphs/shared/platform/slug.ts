// Names of places as usernames carry them and as people type them, made comparable: "São Paulo", "sao-paulo" and "SAO PAULO" are sao_paulo.

/** Letters that have no decomposition in Unicode. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ə: 'e',
  '&': ' and ',
};

/** What needs no spelling: most names, and a third of the time. */
const PLAIN = /^[A-Za-z0-9 _-]*$/;

const spelled = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’ʻʼ`]/g, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþıə&]/g, (letter) => LETTERS[letter] ?? letter);

/** Lower case, Latin letters and digits, words joined by underscores. Empty when nothing of that is left. */
export const toSlug = (name: string): string =>
  (PLAIN.test(name) ? name.toLowerCase() : spelled(name)).replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
