/**
 * Numbers from 0 to below 1 that follow from an integer seed, each a multiple of 2^-32: xoshiro128** of D. Blackman and S. Vigna
 * ("Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021), its state filled from the seed by a mixing step.
 */
export function createRandom(seed: number): () => number {
  let mixed = seed | 0
  const fill = () => {
    mixed = (mixed + 0x9e3779b9) | 0
    const once = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
    return twice ^ (twice >>> 16)
  }
  let [a, b, c, d] = [fill(), fill(), fill(), fill()]
  return () => {
    const scrambled = Math.imul(rotate(Math.imul(b, 5), 7), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return (scrambled >>> 0) / 2 ** 32
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
