import { SchemaError } from './schema-error.ts'

/** Limits of all schemas of one request together. A state takes about 250 bytes, a transition 50. */
export const compiledLimits = {
  /** Parts of schemas, and symbols of constants and names that several constants or names do not share. */
  states: 100_000,
  /** Ways from one state to another: symbols, properties, and the alternatives of choices, those of choices inside them included. */
  transitions: 200_000,
}

/** A schema takes more work to compile than it may take where it is compiled; it may be compiled in a thread. */
export class SchemaWorkError extends Error {
  override readonly name = 'SchemaWorkError'
}

/** Counts what a schema is compiled to, which references can make far larger than its text. */
export class CompiledSize {
  #states = 0
  #transitions = 0
  #workLeft: number

  /** @param maxWork states, transitions and steps to find them, beyond which `SchemaWorkError` is thrown */
  constructor({ maxWork = Infinity }: { maxWork?: number } = {}) {
    this.#workLeft = maxWork
  }

  get states(): number {
    return this.#states
  }

  /** @throws SchemaWorkError beyond what may be done here */
  addWork(steps: number): void {
    this.#workLeft -= steps
    if (this.#workLeft < 0) throw new SchemaWorkError('the schema takes too much work to be compiled here')
  }

  /** @throws SchemaError beyond the limit */
  addStates(count: number): void {
    this.addWork(count)
    this.#states += count
    if (this.#states > compiledLimits.states) throw tooLarge('states', compiledLimits.states)
  }

  /** @throws SchemaError beyond the limit */
  addTransitions(count: number): void {
    this.addWork(count)
    this.#transitions += count
    if (this.#transitions > compiledLimits.transitions) throw tooLarge('transitions', compiledLimits.transitions)
  }
}

const tooLarge = (what: string, limit: number) =>
  new SchemaError(`the schema compiles to more than ${limit} ${what}; use fewer or shorter constants, and fewer alternatives`)
