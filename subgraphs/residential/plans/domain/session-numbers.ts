// Session numbers: 8 digits that look random, never repeat among a plan's live batches, and can be made again. Each plan walks through all 10^8
// numbers in an order of its own: position * stride modulo 10^8, with a stride that shares no factor with 10^8. Every batch takes the next positions,
// so two batches never overlap until 10^8 later numbers of the plan have been handed out: a batch is live until then.

export const SESSION_NUMBERS = 100_000_000;
const MIN_STRIDE = 10_000_000;

/** A stride from any whole number below 10^8: neither even nor a multiple of 5, and large, so that neighbours are far apart. */
export function toStride(random: number): number {
  const stride = MIN_STRIDE + (random % (SESSION_NUMBERS - 2 * MIN_STRIDE));
  const odd = stride | 1;
  return odd % 5 === 0 ? odd + 2 : odd;
}

/** The number at a position, 0 to 10^8 - 1. The product needs up to 53 bits and more, hence bigint. */
export const sessionNumber = (position: number, stride: number): number =>
  Number((BigInt(position) * BigInt(stride)) % BigInt(SESSION_NUMBERS));

/** What a session number is multiplied with to get its position back, modulo 10^8: the inverse of the stride, by Euler's theorem. */
export function strideInverse(stride: number): number {
  const modulus = BigInt(SESSION_NUMBERS);
  // phi(10^8) - 1
  let exponent = 39_999_999n;
  let result = 1n;
  for (let power = BigInt(stride) % modulus; exponent > 0n; exponent >>= 1n, power = (power * power) % modulus)
    if (exponent & 1n) result = (result * power) % modulus;
  return Number(result);
}
