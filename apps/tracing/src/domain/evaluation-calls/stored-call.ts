import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import type { CallColumns } from '../../records/calls/calls-store.ts'

/** This service's data about runs, predictions and scores in the attributes of their calls: everything under `weave`. */
export function marksOf({ attributes }: Pick<CallColumns, 'attributes'>): JsonObject {
  return objectIn(readObject(attributes), 'weave')
}

export function inputsOf({ inputs }: Pick<CallColumns, 'inputs'>): JsonObject {
  return readObject(inputs)
}

/** The output; null while there is none. Numbers keep the form in which they were written. */
export function outputOf({ output }: Pick<CallColumns, 'output'>): unknown {
  return readJson(output ?? 'null')
}

/** The object under a key; `{}` if there is none. */
export function objectIn(value: JsonObject, key: string): JsonObject {
  const found = value[key]
  return isJsonObject(found) ? found : {}
}

/** The first of some values that is text and not empty; null where none is. */
export function firstText(...values: unknown[]): string | null {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? null
}

/** The evaluation that the call of a run names in its inputs. */
export function evaluationIn(inputs: JsonObject): string | null {
  return firstText(inputs['self'], inputs['this'])
}

function readObject(text: string | null): JsonObject {
  const value = readJson(text ?? '{}')
  return isJsonObject(value) ? value : {}
}

function readJson(text: string): unknown {
  return parseJson(text, { loneSurrogates: 'keep' })
}
