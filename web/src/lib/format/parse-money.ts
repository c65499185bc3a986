/** "12.50" to 1250; undefined when it is no amount above zero with up to two decimals. */
export function parseCents(text: string): number | undefined {
  const match = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  const cents = match && Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return cents || undefined;
}
