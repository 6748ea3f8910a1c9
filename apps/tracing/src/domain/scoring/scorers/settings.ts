import type { JsonObject } from '@heddle/core-api'
import { isJsonNumber } from '@heddle/core-api/internal'
import { partAt, ScorerError, type Subject } from '../subject.ts'

/** Reads the settings of a scorer from its value. @throws ScorerError that names the setting and its value */
export interface Settings {
  text(name: string, fallback: string): string
  textOrNull(name: string): string | null
  flag(name: string, fallback: boolean): boolean
  number(name: string, fallback: number): number
  numberOrNull(name: string): number | null
  oneOf<T extends string>(name: string, choices: readonly T[], fallback: T): T
}

export function readSettings(value: JsonObject): Settings {
  function read<T>(name: string, fallback: T, parse: (given: unknown) => T | undefined, expected: string): T {
    const given = value[name]
    if (given === undefined || given === null) return fallback
    const found = parse(given)
    if (found === undefined) throw new ScorerError(`${name} of the scorer must be ${expected}, got ${JSON.stringify(given).slice(0, 100)}`)
    return found
  }
  const toText = (given: unknown) => (typeof given === 'string' ? given : undefined)
  const toFlag = (given: unknown) => (typeof given === 'boolean' ? given : undefined)
  const toNumber = (given: unknown) => (typeof given === 'number' || isJsonNumber(given) ? Number(given) : undefined)
  return {
    text: (name, fallback) => read(name, fallback, toText, 'a text'),
    textOrNull: (name) => read<string | null>(name, null, toText, 'a text'),
    flag: (name, fallback) => read(name, fallback, toFlag, 'true or false'),
    number: (name, fallback) => read(name, fallback, toNumber, 'a number'),
    numberOrNull: (name) => read<number | null>(name, null, toNumber, 'a number'),
    oneOf: (name, choices, fallback) =>
      read(name, fallback, (given) => choices.find((choice) => choice === given), `one of ${choices.join(', ')}`),
  }
}

/** Scores one subject. */
export type Judge = (subject: Subject) => JsonObject

/** The two values that a comparing scorer reads: the output, and the expected value of the row. */
export function comparedParts(settings: Settings): (subject: Subject) => { actual: unknown; expected: unknown } {
  const outputPath = settings.textOrNull('output_path')
  const column = settings.text('expected_column', 'expected')
  return ({ output, row }) => {
    const expected = partAt(row, column)
    if (expected === undefined) {
      throw new ScorerError(`the row has no column "${column}": name the one with the expected value in expected_column of the scorer`)
    }
    return { actual: partAt(output, outputPath), expected }
  }
}
