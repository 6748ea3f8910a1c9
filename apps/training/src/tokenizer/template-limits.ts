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

/** @throws ChatTemplateError for a text that would be longer than texts may be */
export function assertLength(characters: number): void {
  if (characters > templateLimits.characters) throw tooMuch(`texts of ${templateLimits.characters} characters`)
}

/** @throws ChatTemplateError for a list that would have more elements than lists may have */
export function assertElements(elements: number): void {
  if (!(elements <= templateLimits.elements)) throw tooMuch(`lists of ${templateLimits.elements} elements`)
}

export function tooMuch(limit: string): ChatTemplateError {
  return new ChatTemplateError(`the chat template needs more than ${limit} for these messages; send fewer or shorter ones`)
}
