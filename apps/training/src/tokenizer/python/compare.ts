import { Bytes, Dict, DictView, elementsOf, isList, Namespace, plain, Range, Tuple, typeName, Undefined, type Value } from './values.ts'

const numberOf = (value: Value): bigint | number | null => {
  if (typeof value === 'boolean') return BigInt(value)
  return typeof value === 'bigint' || typeof value === 'number' ? value : null
}

/** Python's `==`. Of numbers their values, of lists and dictionaries what they hold. */
export function equal(first: Value, second: Value): boolean {
  const [left, right] = [plain(first), plain(second)]
  if (left === right) return true
  const [a, b] = [numberOf(left), numberOf(right)]
  // Numbers of both kinds are compared by their exact values.
  // oxlint-disable-next-line eqeqeq
  if (a !== null && b !== null) return a == b
  const [items, others] = [sequence(left), sequence(right)]
  if (items && others)
    return isList(left) === isList(right) && items.length === others.length && items.every((item, at) => equal(item, others[at]!))
  if (left instanceof Dict && right instanceof Dict) return equalDicts(left, right)
  if (left instanceof Bytes && right instanceof Bytes) return equalLists(left.list(), right.list())
  if (left instanceof Range && right instanceof Range) return equalLists([...elementsOf(left)!], [...elementsOf(right)!])
  return left instanceof Undefined && right instanceof Undefined
}

const equalLists = (left: readonly Value[], right: readonly Value[]) =>
  left.length === right.length && left.every((item, at) => equal(item, right[at]!))

function equalDicts(left: Dict, right: Dict): boolean {
  if (left.size !== right.size) return false
  for (const [key, value] of left.entries()) {
    const other = right.get(key)
    if (other === undefined || !equal(value, other)) return false
  }
  return true
}

function sequence(value: Value): readonly Value[] | null {
  return isList(value) ? value : value instanceof Tuple ? value.items : null
}

/**
 * Negative if the first precedes the second in Python's order: numbers, texts by code points, lists by their items. Undefined if either is NaN.
 * @throws TypeError for values that have no order, naming the operator
 */
export function compareValues(first: Value, second: Value, operator = '<'): number | undefined {
  const [left, right] = [plain(first), plain(second)]
  for (const operand of [left, right]) if (operand instanceof Undefined) throw new TypeError(operand.reason)
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== null && b !== null) return a < b ? -1 : a > b ? 1 : Number.isNaN(a) || Number.isNaN(b) ? undefined : 0
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  const [items, others] = [sequence(left), sequence(right)]
  if (items && others && isList(left) === isList(right)) return compareItems(items, others, operator)
  throw new TypeError(`'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`)
}

function compareItems(items: readonly Value[], others: readonly Value[], operator: string): number | undefined {
  for (const [at, item] of items.entries()) {
    const other = others[at]
    if (other === undefined) return 1
    if (!equal(item, other)) return compareValues(item, other, operator)
  }
  return items.length - others.length
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  let at = 0
  while (at < left.length && left[at] === right[at]) at += 1
  // Both halves of a pair count as one character.
  if (at > 0 && /[\uD800-\uDBFF]/.test(left[at - 1]!)) at -= 1
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1)
}

/** Python's `in`. @throws TypeError where nothing can be in the value */
export function contains(container: Value, element: Value): boolean {
  const [whole, part] = [plain(container), plain(element)]
  if (typeof whole === 'string') {
    if (typeof part !== 'string') throw new TypeError(`'in <string>' requires string as left operand, not ${typeName(part)}`)
    return whole.includes(part)
  }
  if (whole instanceof Dict) return whole.has(part)
  if (whole instanceof DictView && whole.kind === 'keys') return whole.dict.has(part)
  const elements = whole instanceof Namespace ? null : elementsOf(whole)
  if (elements === null) throw new TypeError(`argument of type '${typeName(whole)}' is not iterable`)
  for (const each of elements) if (equal(each, part)) return true
  return false
}
