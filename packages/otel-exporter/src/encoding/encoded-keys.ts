const maxKeys = 2000
const maxCharacters = 120

/** Caches the encoded names of attributes: programs use few names, and repeat them on every span. */
export class EncodedKeys {
  readonly #fields = new Map<string, Uint8Array>()
  readonly #encode: (key: string) => Uint8Array

  /** `encode` writes the field with tag, length and text. */
  constructor(encode: (key: string) => Uint8Array) {
    this.#encode = encode
  }

  /** The field of a name. The first 2,000 names of up to 120 characters are cached. */
  find(key: string): Uint8Array {
    return this.#fields.get(key) ?? this.#add(key)
  }

  #add(key: string): Uint8Array {
    const field = this.#encode(key)
    if (this.#fields.size < maxKeys && key.length <= maxCharacters) this.#fields.set(key, field)
    return field
  }
}
