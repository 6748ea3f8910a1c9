import { SchemaError } from '../../../constrained/schema/schema-error.ts'
import { createTokenConstraint, type TokenConstraint } from '../../../constrained/token-constraint.ts'
import { createVocabulary, type Vocabulary } from '../../../constrained/vocabulary.ts'
import { loadTokenizer } from '../../../tokenizer/load-tokenizer.ts'
import { TokenizerError } from '../../../tokenizer/tokenizer-error.ts'
import { EngineError, type GenerateRequest } from '../../engine.ts'

/** Starts the constraint of a completion; null where all tokens may follow. @throws EngineError for one that cannot be enforced */
export type StartConstraint = () => TokenConstraint | null

/** Constraints over the vocabularies of base models, each of which is read once. */
export class Constraints {
  private readonly folders: ReadonlyMap<string, string>
  private readonly vocabularies = new Map<string, Promise<Vocabulary>>()

  constructor(folders: ReadonlyMap<string, string>) {
    this.folders = folders
  }

  /** @throws EngineError when the constraint cannot be enforced, or the tokenizer of the model not be read */
  async prepare({ version, settings }: GenerateRequest): Promise<StartConstraint> {
    const { constraint, stopTokens } = settings
    if (!constraint) return () => null
    const vocabulary = await this.vocabularyOf(version.baseModel)
    const start = () => createTokenConstraint({ vocabulary, constraint, stopTokens })
    try {
      start()
    } catch (error) {
      if (error instanceof SchemaError) throw new EngineError('unsupported', error.message, { cause: error })
      throw error
    }
    return start
  }

  private async vocabularyOf(baseModel: string): Promise<Vocabulary> {
    const folder = this.folders.get(baseModel)
    if (folder === undefined) throw new EngineError('unknown-model', `unknown base model "${baseModel}"`)
    const known = this.vocabularies.get(baseModel) ?? loadTokenizer(folder).then(createVocabulary)
    this.vocabularies.set(baseModel, known)
    try {
      return await known
    } catch (error) {
      this.vocabularies.delete(baseModel)
      if (error instanceof TokenizerError) throw new EngineError('damaged', error.message, { cause: error })
      throw error
    }
  }
}
