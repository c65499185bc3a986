const plain = new Intl.NumberFormat('en-US');

export const formatCount = (value: number) => plain.format(value);
