/** CRC-32 as a polynomial with its highest power in the lowest bit: that of gzip, and of `crc32` in zlib. */
const POLYNOMIAL = 0xed_b8_83_20
const ONE = 0x80_00_00_00
/** Bits of a checksum. */
const BITS = 32
/** The power of a shift by one byte is x^8, the third square of x. */
const BYTE = 3

/** x^1, x^2, x^4 and so on, each the square of the one before. They repeat after 32. */
const squares = [ONE >>> 1]
for (let at = 1; at < BITS; at += 1) squares.push(product(squares[at - 1] ?? 0, squares[at - 1] ?? 0))

/**
 * A checksum shifted by so many bytes. With it, checksums are put together without the bytes: that of `a` followed by `b` is that of `a`
 * shifted by the length of `b`, XOR that of `b`.
 */
export function shiftedChecksum(checksum: number, bytes: number): number {
  let power = ONE
  for (let [left, at] = [bytes, BYTE]; left > 0; [left, at] = [Math.floor(left / 2), at + 1]) {
    if (left % 2 === 1) power = product(squares[at % BITS] ?? 0, power)
  }
  return product(power, checksum)
}

/** The product of two polynomials, modulo the one above. */
function product(one: number, other: number): number {
  let [sum, factor] = [0, other]
  for (let bit = BITS - 1; bit >= 0; bit -= 1) {
    if ((one >>> bit) & 1) sum ^= factor
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1
  }
  return sum >>> 0
}
