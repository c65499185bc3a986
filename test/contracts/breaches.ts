// What breaks a rule of the house today, by the rule's title. A list that may only shrink: a breach that is mended is taken off it in the same commit.
export const BREACHES: Readonly<Record<string, readonly string[]>> = {
  'no function has more than 80 lines': [],
};
