/** Words of 32 evenly spread bits that follow from an integer seed. */
export interface RandomWords {
  /** Fills the array with the next words. */
  draw(words: Uint32Array): void
}

/**
 * xoshiro128** of D. Blackman and S. Vigna ("Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021), its state filled from the
 * seed by a mixing step.
 */
export function createRandomWords(seed: number): RandomWords {
  let mixed = seed | 0
  const state = Int32Array.from({ length: 4 }, () => {
    mixed = (mixed + 0x9e3779b9) | 0
    const once = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
    return twice ^ (twice >>> 16)
  })
  return { draw: (words) => drawWords(words, state) }
}

/** The state is in variables meanwhile: browsers keep numbers of 32 bits that functions share as objects, which takes five times as long. */
function drawWords(words: Uint32Array, state: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let at = 0; at < words.length; at++) {
    words[at] = Math.imul(rotate(Math.imul(b, 5), 7), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
  }
  state.set([a, b, c, d])
}

const wordsAtOnce = 64

/** Numbers from 0 to below 1 that follow from an integer seed, each a multiple of 2^-32. */
export function createRandom(seed: number): () => number {
  const source = createRandomWords(seed)
  const words = new Uint32Array(wordsAtOnce)
  let next = wordsAtOnce
  return () => {
    if (next === wordsAtOnce) {
      source.draw(words)
      next = 0
    }
    return (words[next++] ?? 0) / 2 ** 32
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
