import { checked, Refusal } from '../shapes/checked.ts'

/** One of a few texts. */
export function choiceOf<const Choice extends string>(choices: readonly Choice[]) {
  const refused = new Refusal('enum', `Input should be ${choices.map((choice) => `'${choice}'`).join(' or ')}`)
  return checked<Choice>((value) => choices.find((choice) => choice === value) ?? refused, { type: 'string', enum: [...choices] })
}
