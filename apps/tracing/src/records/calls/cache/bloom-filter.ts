const bitsPerKey = 24
const probes = 12

interface BloomFilterOptions {
  /** Bytes of the first layer, a power of two. Default: 4 MiB, for 1.4 million texts. */
  firstBytes?: number
  /** At least `firstBytes`. */
  maxBytes: number
}

/**
 * A set of texts without false negatives, in 3 bytes per text. It grows by layers, each twice as large, up to `maxBytes`; further texts make false
 * positives more frequent. A full layer has one for each 70,000 texts, (1 - e^(-12/24))^12, and all layers together one for each 10,000, so that
 * only one in a hundred requests with a hundred new calls reads the store for nothing.
 * Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors" (1970).
 */
export interface BloomFilter {
  add(key: string): void
  /** False when the key was never added. */
  mightContain(key: string): boolean
  /** Number of added texts, repetitions included, and bytes of the layers. */
  size(): { keys: number; bytes: number }
}

interface Layer {
  bits: Uint32Array
  mask: number
  left: number
}

export function createBloomFilter({ firstBytes = 1 << 22, maxBytes }: BloomFilterOptions): BloomFilter {
  const layers: Layer[] = [newLayer(firstBytes)]
  let keys = 0
  const bytes = () => layers.reduce((sum, { bits }) => sum + bits.byteLength, 0)

  function grow(): void {
    const next = firstBytes * 2 ** layers.length
    if (bytes() + next <= maxBytes) layers.push(newLayer(next))
  }

  return {
    add(key) {
      const [one, two] = hashesOf(key)
      if (layers[layers.length - 1]!.left === 0) grow()
      const layer = layers[layers.length - 1]!
      if (layer.left > 0) layer.left--
      keys++
      for (let probe = 0; probe < probes; probe++) setBit(layer, one + Math.imul(probe, two))
    },
    mightContain(key) {
      const [one, two] = hashesOf(key)
      return layers.some((layer) => hasAllBits(layer, one, two))
    },
    size: () => ({ keys, bytes: bytes() }),
  }
}

function newLayer(bytes: number): Layer {
  const bits = bytes * 8
  return { bits: new Uint32Array(bytes / 4), mask: bits - 1, left: Math.floor(bits / bitsPerKey) }
}

function setBit({ bits, mask }: Layer, hash: number): void {
  const at = hash & mask
  bits[at >>> 5]! |= 1 << (at & 31)
}

function hasAllBits({ bits, mask }: Layer, one: number, two: number): boolean {
  for (let probe = 0; probe < probes; probe++) {
    const at = (one + Math.imul(probe, two)) & mask
    if ((bits[at >>> 5]! & (1 << (at & 31))) === 0) return false
  }
  return true
}

/** Two independent 32-bit hashes; the second is odd, so that its multiples reach every bit. */
function hashesOf(key: string): [number, number] {
  let one = 0x811c9dc5
  let two = 0x9747b28c
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ code, 0x5bd1e995) ^ (two >>> 15)
  }
  return [mixed(one), mixed(two) | 1]
}

/** The finishing step of MurmurHash3: every input bit reaches every output bit. */
function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return mix ^ (mix >>> 16)
}
