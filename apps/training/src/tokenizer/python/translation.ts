import { Dict, isList, plain, Tuple, typeName, type Value } from './values.ts'
import { assertLength } from '../template-limits.ts'
import { lengthOf } from './strings.ts'

/** `str.maketrans`: a table of code points, of a dictionary or of two texts of one length and a third whose characters are removed. */
export function makeTranslation(given: readonly Value[]): Dict {
  const [from, to, removed] = given.map(plain)
  if (from === undefined || given.length > 3) throw new TypeError('maketrans takes one to three arguments')
  if (to === undefined) {
    if (!(from instanceof Dict)) throw new TypeError('if you give only one argument to maketrans it must be a dict')
    return new Dict(Array.from(from.entries(), ([key, value]) => [codeOf(key), value]))
  }
  if (typeof from !== 'string' || typeof to !== 'string') throw new TypeError('the arguments of maketrans must be texts')
  if (removed !== undefined && typeof removed !== 'string') throw new TypeError('the third argument of maketrans must be a text')
  if (lengthOf(from) !== lengthOf(to)) throw new TypeError('the first two maketrans arguments must have equal length')
  const written = Array.from(to)
  return new Dict([
    ...Array.from(from, (character, at): [Value, Value] => [codePointOf(character), codePointOf(written[at]!)]),
    ...Array.from(removed ?? '', (character): [Value, Value] => [codePointOf(character), null]),
  ])
}

function codeOf(key: Value): Value {
  const name = plain(key)
  if (typeof name === 'bigint' || typeof name === 'boolean') return name
  if (typeof name === 'string' && lengthOf(name) === 1) return codePointOf(name)
  throw new TypeError('keys in translate table must be strings of length 1 or integers')
}

const codePointOf = (character: string) => BigInt(character.codePointAt(0)!)

/** `str.translate`: characters that are not in the table are kept. */
export function translate(text: string, table: Value | undefined): string {
  const find = finderIn(table)
  const parts: string[] = []
  let length = 0
  for (const character of text) {
    const part = translated(character, find(codePointOf(character)))
    length += part.length
    assertLength(length)
    parts.push(part)
  }
  return parts.join('')
}

function finderIn(given: Value | undefined): (code: bigint) => Value | undefined {
  const table = given === undefined ? undefined : plain(given)
  if (table instanceof Dict) return (code) => table.get(code)
  if (table !== undefined && isList(table)) return (code) => table[Number(code)]
  if (table instanceof Tuple) return (code) => table.items[Number(code)]
  if (typeof table === 'string') {
    const characters = Array.from(table)
    return (code) => characters[Number(code)]
  }
  throw new TypeError(`'${table === undefined ? 'nothing' : typeName(table)}' object is not subscriptable`)
}

function translated(character: string, given: Value | undefined): string {
  if (given === undefined) return character
  const value = plain(given)
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'bigint' && value >= 0n && value <= 0x10ffffn) return String.fromCodePoint(Number(value))
  throw new TypeError('character mapping must be in range(0x110000), None or a text')
}
