import { isLower, isUpper } from '../python/case.ts'
import { textOf } from '../python/text-of.ts'
import { isFilter } from './filters.ts'
import { applyBinary, applyComparison } from './operators.ts'
import type { CompareOperator } from './nodes.ts'
import {
  assertKey,
  Callable,
  type CallArguments,
  Dict,
  elementsOf,
  isList,
  isTrue,
  Markup,
  plain,
  Range,
  Tuple,
  Undefined,
  type Value,
  WithAttributes,
} from '../python/values.ts'

type Test = (value: Value, argument: Value | undefined) => boolean

const compared =
  (operator: CompareOperator): Test =>
  (value, argument) =>
    applyComparison(operator, value, needed(argument))

const rest = (value: Value, divisor: Value) => applyBinary('%', value, divisor)

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['boolean', (value) => typeof value === 'boolean'],
  [
    'callable',
    (value) => value instanceof Callable || value instanceof Undefined || (value instanceof WithAttributes && value.call !== null),
  ],
  ['defined', (value) => !(value instanceof Undefined)],
  ['divisibleby', (value, argument) => !isTrue(rest(value, needed(argument)))],
  ['escaped', (value) => value instanceof Markup],
  ['even', (value) => !isTrue(rest(value, 2n))],
  ['false', (value) => value === false],
  ['filter', (value) => isFilter(nameIn(value))],
  ['float', (value) => typeof value === 'number'],
  ['in', (value, argument) => applyComparison('in', value, needed(argument))],
  ['integer', (value) => typeof value === 'bigint'],
  ['iterable', (value) => elementsOf(value) !== null],
  ['lower', (value) => isLower(textOf(value))],
  ['mapping', (value) => value instanceof Dict],
  ['none', (value) => value === null],
  ['number', (value) => typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean'],
  ['odd', (value) => applyComparison('==', rest(value, 2n), 1n)],
  ['sameas', (value, argument) => Object.is(value, needed(argument))],
  ['sequence', isSequence],
  ['string', (value) => typeof plain(value) === 'string'],
  ['test', (value) => tests.has(nameIn(value))],
  ['true', (value) => value === true],
  ['undefined', (value) => value instanceof Undefined],
  ['upper', (value) => isUpper(textOf(value))],
  ...(
    [
      [['==', 'eq', 'equalto'], '=='],
      [['!=', 'ne'], '!='],
      [['<', 'lt', 'lessthan'], '<'],
      [['<=', 'le'], '<='],
      [['>', 'gt', 'greaterthan'], '>'],
      [['>=', 'ge'], '>='],
    ] as const
  ).flatMap(([names, operator]) => names.map((name) => [name, compared(operator)] as const)),
])

/** @throws TypeError for what cannot be a key */
function nameIn(value: Value): string {
  assertKey(value)
  return textOf(value)
}

/** Whether a value has a length and items by index or key. */
function isSequence(value: Value): boolean {
  if (typeof plain(value) === 'string' || isList(value)) return true
  return [Tuple, Dict, Range, Undefined].some((type) => value instanceof type)
}

function needed(argument: Value | undefined): Value {
  if (argument === undefined) throw new TypeError('the test needs an argument')
  return argument
}

/** Jinja's tests. @throws TypeError for one that is not known, or a value that it does not take */
export function applyTest(name: string, value: Value, { placed }: CallArguments): boolean {
  const test = tests.get(name)
  if (test === undefined) throw new TypeError(`No test named '${name}'.`)
  return test(value, placed[0])
}
