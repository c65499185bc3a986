// Session numbers: 8 digits that look random, never repeat among a plan's live batches, and can be computed again. Each plan goes through all 10^8 numbers in
// an order of its own: position * stride modulo 10^8, with a stride that shares no factor with 10^8. Every batch takes the next positions, so two batches
// overlap only after the plan has taken 10^8 more numbers; until then a batch is live.

export const SESSION_NUMBERS = 100_000_000;
const MIN_STRIDE = 10_000_000;

/**
 * Makes a stride from any whole number below 10^8. It is neither even nor a multiple of 5, so that it shares no factor with 10^8, and large, so that numbers of
 * neighbouring positions are far apart.
 */
export function toStride(random: number): number {
  const stride = MIN_STRIDE + (random % (SESSION_NUMBERS - 2 * MIN_STRIDE));
  const odd = stride | 1;
  return odd % 5 === 0 ? odd + 2 : odd;
}

/** The number at a position, 0 to 10^8 - 1. The product may exceed 53 bits, hence bigint. */
export const sessionNumber = (position: number, stride: number): number =>
  Number((BigInt(position) * BigInt(stride)) % BigInt(SESSION_NUMBERS));

/** The inverse of the stride modulo 10^8, by Euler's theorem. A session number multiplied with it, modulo 10^8, is its position. */
export function strideInverse(stride: number): number {
  const modulus = BigInt(SESSION_NUMBERS);
  // phi(10^8) - 1
  let exponent = 39_999_999n;
  let result = 1n;
  for (let power = BigInt(stride) % modulus; exponent > 0n; exponent >>= 1n, power = (power * power) % modulus)
    if (exponent & 1n) result = (result * power) % modulus;
  return Number(result);
}
