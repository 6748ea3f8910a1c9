import { Undefined, type Value } from '../python/values.ts'

/** Names that a block sees: its own, and those of the blocks around it. */
export class Scope {
  readonly #values = new Map<string, Value>()
  readonly #around: Scope | null

  constructor(around: Scope | null) {
    this.#around = around
  }

  get(name: string): Value {
    const value = this.#values.get(name)
    if (value !== undefined) return value
    return this.#around === null ? new Undefined(`'${name}' is undefined`) : this.#around.get(name)
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value)
  }
}
