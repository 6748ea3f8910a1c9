/** A set of numbers from 0 up to a size. Each operation takes time in proportion to the logarithm of the size. */
export class NumberSet {
  /** How many numbers are below each node of a binary tree; its leaves, from `#leaves` on, are the numbers. */
  readonly #counts: Int32Array
  readonly #leaves: number

  constructor(size: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(size, 1)))
    this.#counts = new Int32Array(2 * this.#leaves)
  }

  add(number: number): void {
    this.#change(number, 1)
  }

  /** The number must be in the set. */
  delete(number: number): void {
    this.#change(number, -1)
  }

  /** The smallest number of the set that is not below the given one; undefined if there is none. */
  next(from: number): number | undefined {
    if (from >= this.#leaves) return undefined
    let node = this.#leaves + from
    while (this.#counts[node] === 0) {
      // Up until there is something to the right, and over there.
      while (node > 1 && ((node & 1) === 1 || this.#counts[node + 1] === 0)) node >>= 1
      if (node <= 1) return undefined
      node += 1
    }
    while (node < this.#leaves) node = this.#counts[2 * node]! > 0 ? 2 * node : 2 * node + 1
    return node - this.#leaves
  }

  #change(number: number, by: number): void {
    for (let node = this.#leaves + number; node >= 1; node >>= 1) this.#counts[node] = this.#counts[node]! + by
  }
}
