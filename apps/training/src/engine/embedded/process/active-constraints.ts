import { SchemaError } from '../../../constrained/grammar/schema-error.ts'
import {
  type CompiledConstraint,
  compileConstraint,
  followConstraint,
  type TokenConstraint,
} from '../../../constrained/token-constraint.ts'
import { createVocabulary, type Vocabulary } from '../../../constrained/vocabulary.ts'
import { loadTokenizer } from '../../../tokenizer/load-tokenizer.ts'
import { TokenizerError } from '../../../tokenizer/tokenizer-error.ts'
import { EngineError, type EngineErrorKind } from '../../engine.ts'
import type { ConstraintOfRequest, FromConstraints, ToConstraints } from './constraint-messages.ts'

/** States of all compiled constraints at a time, about 250 bytes each. */
const usualMaxStates = 1_000_000

interface ActiveConstraint {
  constraint: TokenConstraint
  mask: Uint8Array
}

/** Compiles constraints, once per request, and finds the permitted next tokens of each completion. Vocabularies are read once per model. */
export class ActiveConstraints {
  private readonly vocabularies = new Map<string, Vocabulary>()
  private readonly compiled = new Map<number, CompiledConstraint>()
  private readonly completions = new Map<number, ActiveConstraint>()
  private readonly maxStates: number

  constructor(maxStates = usualMaxStates) {
    this.maxStates = maxStates
  }

  /** The answer, where a message has one. */
  async receive(message: ToConstraints): Promise<FromConstraints | null> {
    if (message.kind === 'forget') this.compiled.delete(message.request)
    if (message.kind === 'end') this.completions.delete(message.completion)
    if (message.kind === 'forget' || message.kind === 'end') return null
    const { completion } = message
    try {
      if (message.kind === 'start') await this.start(message)
      return this.advance(completion, message.kind === 'accept' ? message.token : null)
    } catch (error) {
      return { kind: 'failed', completion, error: describe(error) }
    }
  }

  private async start({ completion, of, mask }: Extract<ToConstraints, { kind: 'start' }>): Promise<void> {
    const compiled = this.compiled.get(of.request) ?? (await this.compile(of))
    this.completions.set(completion, { constraint: followConstraint(compiled, of.stopTokens), mask })
  }

  private advance(completion: number, token: number | null): FromConstraints {
    const { constraint, mask } = this.completions.get(completion)!
    if (token !== null) constraint.accept(token)
    return { kind: 'allowed', completion, count: constraint.writeAllowed(mask), mustEnd: constraint.mustEnd }
  }

  private async compile({ request, folder, constraint }: ConstraintOfRequest): Promise<CompiledConstraint> {
    const vocabulary = this.vocabularies.get(folder) ?? createVocabulary(await loadTokenizer(folder))
    this.vocabularies.set(folder, vocabulary)
    const compiled = compileConstraint(vocabulary, constraint)
    const states = [...this.compiled.values()].reduce((sum, other) => sum + other.states, compiled.states)
    if (states > this.maxStates) {
      throw new EngineError(
        'unavailable',
        `the schemas that are followed have more than ${this.maxStates} states together; send the request again later`,
      )
    }
    this.compiled.set(request, compiled)
    return compiled
  }
}

function describe(error: unknown): { kind: EngineErrorKind; message: string } {
  const { message } = error as Error
  if (error instanceof EngineError) return { kind: error.kind, message }
  if (error instanceof SchemaError) return { kind: 'unsupported', message }
  if (error instanceof TokenizerError) return { kind: 'damaged', message }
  return { kind: 'unavailable', message: `the constraint could not be followed: ${message}` }
}
