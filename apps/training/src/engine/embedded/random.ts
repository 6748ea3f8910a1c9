/** A generator of uniform numbers in [0, 1), of 32 bits each. */
export interface Random {
  next(): number
}

/** Xoshiro128** (Blackman and Vigna 2021), its state filled by SplitMix64 from the lowest 64 bits of the seed. */
export function createRandom(seed: bigint): Random {
  const state = stateOf(seed)
  return {
    next() {
      const [, s1] = state
      const result = Math.imul(rotateLeft(Math.imul(s1!, 5), 7), 9)
      const shifted = s1! << 9
      state[2]! ^= state[0]!
      state[3]! ^= s1!
      state[1]! ^= state[2]!
      state[0]! ^= state[3]!
      state[2]! ^= shifted
      state[3] = rotateLeft(state[3]!, 11)
      return (result >>> 0) / 2 ** 32
    },
  }
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function stateOf(seed: bigint): Int32Array {
  const state = new Int32Array(4)
  let x = BigInt.asUintN(64, seed)
  for (let i = 0; i < 4; i += 2) {
    x = BigInt.asUintN(64, x + 0x9e3779b97f4a7c15n)
    let z = x
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n)
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn)
    z ^= z >> 31n
    state[i] = Number(z & 0xffffffffn)
    state[i + 1] = Number(z >> 32n)
  }
  return state
}

/** A number of the standard normal distribution (Box and Muller 1958). */
export function nextNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
  return radius * Math.cos(2 * Math.PI * random.next())
}
