/** A way to group or to reward attempts: a word, which some follow by a detail. */
export interface Choice {
  word: string
  title: string
  /** Field for an additional detail; the text is then `word` and the detail. */
  detail?: { label: string; placeholder: string }
}

export const groupings: readonly Choice[] = [
  { word: 'recorded', title: 'As recorded' },
  { word: 'prompt', title: 'Same messages before the first answer' },
  { word: 'row', title: 'Same row of a dataset' },
  { word: '', title: 'Same value of a field', detail: { label: 'Field', placeholder: 'inputs.question or attributes.task' } },
]

export const rewards: readonly Choice[] = [
  { word: 'recorded', title: 'As recorded' },
  { word: 'feedback', title: 'Reactions: 👍 1, 👎 0' },
  { word: 'feedback:', title: 'Feedback of a type', detail: { label: 'Type of feedback', placeholder: 'wandb.annotation.quality' } },
  { word: 'score:', title: 'Score of an evaluation', detail: { label: 'Score', placeholder: 'accuracy.correct' } },
  { word: 'scorer:', title: 'Scorer', detail: { label: 'Scorer name', placeholder: 'name or reference of a scorer' } },
]

/** The choice that a text names, and its detail. A text that names no other is a detail of the choice without a word. */
export function readChoice(choices: readonly Choice[], text: string): { choice: Choice; detail: string } {
  const [first] = choices
  const plain = choices.find(({ word, detail }) => !detail && word === text)
  const choice = plain ?? choices.findLast(({ word, detail }) => detail !== undefined && text.startsWith(word)) ?? first!
  return { choice, detail: choice.detail ? text.slice(choice.word.length) : '' }
}
