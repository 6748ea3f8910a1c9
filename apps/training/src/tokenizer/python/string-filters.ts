import { assertLength } from '../template-limits.ts'
import { capitalize } from './case.ts'
import { wordBeginnings } from './characters.ts'
import { parseFloating, parseInteger } from './numbers.ts'
import { joinTexts, lengthOf, pad, replace, splitLines, strip } from './strings.ts'

/** Values of a filter's arguments, by their place or name; undefined where it is left out. */
export type FilterArguments = (place: number, name: string) => unknown

/** A number that stays one with a fraction, such as 2.0. */
export class Floating {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** Undefined stands for the value that is not there. */
export type FilterResult = string | number | boolean | string[] | Floating | undefined

type Filter = (text: string, args: FilterArguments) => FilterResult

const textOr = (value: unknown, usual: string | null) => (typeof value === 'string' ? value : usual)
const integerOr = (value: unknown, usual: number) => (Number.isInteger(value) ? (value as number) : usual)

/** Jinja's filter is not `str.title`: words begin behind white space, hyphens and opening brackets alone. */
function titleWords(text: string): string {
  return text
    .split(wordBeginnings)
    .map((part) => {
      const [first = '', ...rest] = Array.from(part)
      return first.toUpperCase() + rest.join('').toLowerCase()
    })
    .join('')
}

function indent(text: string, args: FilterArguments): string {
  const width = args(0, 'width')
  const indentation = typeof width === 'string' ? width : pad('', integerOr(width, 4), ' ', 'left')
  const [isFirst, isBlank] = [args(1, 'first') === true, args(2, 'blank') === true]
  const [first = '', ...rest] = splitLines(`${text}\n`, false)
  assertLength(text.length + indentation.length * (rest.length + 1))
  const indented = [first, ...rest.map((line) => (line === '' && !isBlank ? line : indentation + line))].join('\n')
  return isFirst ? indentation + indented : indented
}

/** Filters of Jinja on texts; each takes any other value as the text that it is written as. */
export const stringFilters: Readonly<Record<string, Filter>> = {
  capitalize,
  center: (text, args) => pad(text, integerOr(args(0, 'width'), 80), ' ', 'center'),
  indent,
  lower: (text) => text.toLowerCase(),
  replace: (text, args) => {
    const [old, by] = [textOr(args(0, 'old'), null), textOr(args(1, 'new'), null)]
    if (old === null || by === null) throw new TypeError('replace needs two texts')
    return replace(text, old, by, integerOr(args(2, 'count'), -1))
  },
  string: (text) => text,
  title: titleWords,
  trim: (text, args) => strip(text, textOr(args(0, 'chars'), null), 'both'),
  upper: (text) => text.toUpperCase(),
  wordcount: (text) => (text.match(/[\p{L}\p{N}_]+/gu) ?? []).length,
}

/** Filters of Jinja that take texts among other values. */
export const filtersOfTexts: Readonly<Record<string, Filter>> = {
  count: lengthOf,
  first: (text) => Array.from(text)[0],
  float: (text, args) => new Floating(parseFloating(text) ?? Number(args(0, 'default') ?? 0)),
  int: (text, args) => {
    const read = parseInteger(text) ?? Math.trunc(parseFloating(text) ?? Number.NaN)
    return Number.isFinite(read) ? read : ((args(0, 'default') as number | undefined) ?? 0)
  },
  join: (text, args) => joinTexts(Array.from(text), textOr(args(0, 'd'), '')!),
  last: (text) => Array.from(text).at(-1),
  length: lengthOf,
  list: (text) => Array.from(text),
  reverse: (text) => Array.from(text).toReversed().join(''),
}
