import { type Environment, Interpreter, type TemplateNode, type TemplateValue } from './jinja.ts'
import { ChatTemplateError } from './tokenizer-error.ts'

/** What one rendering may cost. A template that needs more is refused with its limit. */
export const templateLimits = {
  /** Nodes of the template that are evaluated; an element that a loop goes through counts as 20. A message takes some tens. */
  steps: 1_000_000,
  /** Of any text, the result included. */
  characters: 4_194_304,
  /** Elements of any list. */
  elements: 100_000,
}

// A loop makes a scope for each element, which costs as much as some twenty nodes.
const stepsOfElement = 20

/** Interprets a template with bounds on its work and on every value, so that no template can hold the process or fill its memory. */
export class BoundedInterpreter extends Interpreter {
  #steps = 0
  readonly #iterables = new Set<TemplateNode>()

  override evaluate(statement: TemplateNode | undefined, environment: Environment): TemplateValue {
    if (statement?.type === 'For') this.#iterables.add(statement.iterable?.lhs ?? statement.iterable!)
    const result = super.evaluate(statement, environment)
    this.#count(1 + (statement !== undefined && this.#iterables.has(statement) ? stepsOfElement * sizeOf(result.value) : 0))
    checkSize(result.value)
    return result
  }

  #count(steps: number): void {
    this.#steps += steps
    if (this.#steps > templateLimits.steps) throw tooMuch(`${templateLimits.steps} steps`)
  }
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return value instanceof Map ? value.size : 0
}

function checkSize(value: unknown): void {
  if (typeof value === 'string' && value.length > templateLimits.characters)
    throw tooMuch(`texts of ${templateLimits.characters} characters`)
  if (Array.isArray(value) && value.length > templateLimits.elements) throw tooMuch(`lists of ${templateLimits.elements} elements`)
}

function tooMuch(limit: string): ChatTemplateError {
  return new ChatTemplateError(`the chat template needs more than ${limit} for these messages; send fewer or shorter ones`)
}

/** The elements of a Python `range`, at most as many as a list may have. */
export function boundedRange(start: number, stop?: number, step = 1): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop]
  const count = Math.max(0, Math.ceil((to - from) / step))
  if (!(count <= templateLimits.elements)) throw tooMuch(`lists of ${templateLimits.elements} elements`)
  return Array.from({ length: count }, (_, index) => from + index * step)
}
