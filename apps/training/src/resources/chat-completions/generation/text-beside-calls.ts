/** Text of an answer that has calls. White space around calls is dropped; white space before further text is kept. */
export class TextBesideCalls {
  #space = ''
  #hasCalls = false

  /** What of it is text for certain. */
  add(text: string): string {
    const end = text.trimEnd().length
    if (end === 0) {
      this.#space += text
      return ''
    }
    const whole = this.#space + text.slice(0, end)
    this.#space = text.slice(end)
    return whole
  }

  addCall(): void {
    this.#hasCalls = true
    this.#space = ''
  }

  /** The rest at the end. */
  flush(): string {
    const left = this.#hasCalls ? '' : this.#space
    this.#space = ''
    return left
  }
}
