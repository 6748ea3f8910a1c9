/** Finds the end of a JSON object in a text that arrives in pieces, without going through the same characters twice. */
export class ObjectEnd {
  #at = 0
  #depth = 0
  #isString = false
  #end: number | null = null

  /** The offset after the object that `text` begins with; null while it is not complete. Each text must begin with the previous one. */
  find(text: string): number | null {
    while (this.#end === null && this.#at < text.length) {
      const character = text[this.#at]!
      if (this.#isString && character === '\\' && this.#at + 1 === text.length) return null
      this.#at += this.#isString && character === '\\' ? 2 : 1
      this.#follow(character)
      if (this.#depth === 0 && !this.#isString) this.#end = this.#at
    }
    return this.#end
  }

  #follow(character: string): void {
    if (character === '"') this.#isString = !this.#isString
    else if (!this.#isString && (character === '{' || character === '[')) this.#depth += 1
    else if (!this.#isString && (character === '}' || character === ']')) this.#depth -= 1
  }
}
