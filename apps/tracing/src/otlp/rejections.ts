/** Refused spans or log records of a request, with messages about them. Messages beyond a limit are only counted. */
export class Rejections {
  /** How many. */
  count = 0
  readonly #shown: string[] = []
  #hasMore = false

  /** Adds a message; `count` of them are refused for its reason, 0 for a mere warning. */
  add(message: string, count: number): void {
    this.count += count
    if (this.#shown.length < 20) this.#shown.push(message)
    else this.#hasMore = true
  }

  /** The messages joined by `; `, the first 20 of them; `''` if there are none. */
  get message(): string {
    return this.#hasMore ? `${this.#shown.join('; ')}; ...` : this.#shown.join('; ')
  }
}
