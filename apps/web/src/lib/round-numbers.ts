import { stringifyJson } from '@heddle/json/exact'

/** A value that was read with exact numbers, converted to JavaScript numbers: for counting and comparing. */
export const roundNumbers = <Value>(value: Value): Value => (value == null ? value : (JSON.parse(stringifyJson(value)) as Value))
