import { ChatTemplateError } from './tokenizer-error.ts'

/** Cost limits of one rendering. A template that exceeds one is refused with that limit. */
export const templateLimits = {
  /** Evaluated nodes of the template; an iterated element of a loop counts as 20. A message takes some tens. */
  steps: 1_000_000,
  /** Of any text, the result included. */
  characters: 4_194_304,
  /** Elements of any list. */
  elements: 100_000,
  /** Calls of macros within each other. */
  depth: 200,
  /** Digits of a whole number, as in Python. */
  digits: 4_300,
}

/** @throws ChatTemplateError for a text that would be longer than texts may be */
export function assertLength(characters: number): void {
  if (!(characters <= templateLimits.characters)) throw tooMuch(`texts of ${templateLimits.characters} characters`)
}

/** @throws ChatTemplateError for a list that would have more elements than lists may have */
export function assertElements(elements: number): void {
  if (!(elements <= templateLimits.elements)) throw tooMuch(`lists of ${templateLimits.elements} elements`)
}

export function tooMuch(limit: string): ChatTemplateError {
  return new ChatTemplateError(`the chat template needs more than ${limit} for these messages; send fewer or shorter ones`)
}
