import type { Environment, TemplateNode, TemplateValue } from './jinja.ts'
import { PythonInterpreter, toValue } from './python-interpreter.ts'
import { assertElements, assertLength, templateLimits, tooMuch } from './template-limits.ts'

// A loop makes a scope for each element, which costs as much as some twenty nodes.
const stepsOfElement = 20

/** Interprets a template with bounds on its work and on every value, so that no template can hold the process or fill its memory. */
export class BoundedInterpreter extends PythonInterpreter {
  #steps = 0
  readonly #iterables = new Set<TemplateNode>()

  override evaluate(statement: TemplateNode | undefined, environment: Environment): TemplateValue {
    if (statement?.type === 'For') this.#iterables.add(statement.iterable?.lhs ?? statement.iterable!)
    const result = super.evaluate(statement, environment)
    const isIterated = statement !== undefined && this.#iterables.has(statement)
    this.#count(1 + (isIterated ? stepsOfElement * sizeOf(result.value) : 0))
    checkSize(result.value)
    // A text is gone through by its characters.
    return isIterated && result.type === 'StringValue' ? toValue(Array.from(result.value as string)) : result
  }

  #count(steps: number): void {
    this.#steps += steps
    if (this.#steps > templateLimits.steps) throw tooMuch(`${templateLimits.steps} steps`)
  }
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value) || typeof value === 'string') return value.length
  return value instanceof Map ? value.size : 0
}

function checkSize(value: unknown): void {
  if (typeof value === 'string') assertLength(value.length)
  if (Array.isArray(value)) assertElements(value.length)
}

/** The elements of a Python `range`, at most as many as a list may have. */
export function boundedRange(start: number, stop?: number, step = 1): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop]
  const count = Math.max(0, Math.ceil((to - from) / step))
  assertElements(count)
  return Array.from({ length: count }, (_, index) => from + index * step)
}
