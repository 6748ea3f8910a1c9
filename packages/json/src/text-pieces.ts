/** Characters that are joined before the next ones. */
const pieceLength = 8_192

/**
 * A text that is written in very many small parts. Parts are joined as they are added: the runtime would keep a node for each until the whole text is
 * read, so that a text of a million parts would take several times its size, and several times as long.
 */
export class TextPieces {
  #pieces: string[] = []
  #text = ''

  add(part: string): void {
    this.#text += part
    if (this.#text.length > pieceLength) this.#join()
  }

  text(): string {
    return this.#pieces.length === 0 ? this.#text : this.#pieces.join('') + this.#text
  }

  #join(): void {
    // Reading a character makes one text of its parts.
    this.#text.charCodeAt(0)
    this.#pieces.push(this.#text)
    this.#text = ''
  }
}
