/** How the type of a feedback constrains the rest of it. `name` must be the name of the object that its ref names. */
export type FeedbackType =
  | { kind: 'reaction' | 'note' | 'agent_monitor' | 'agent_user_feedback' | 'custom' }
  | { kind: 'annotation' | 'runnable'; name: string }

const plain = new Map<string, FeedbackType>([
  ['wandb.reaction.1', { kind: 'reaction' }],
  ['wandb.note.1', { kind: 'note' }],
  ['wandb.agent_monitor', { kind: 'agent_monitor' }],
  ['wandb.agent_user_feedback', { kind: 'agent_user_feedback' }],
])

const named = [
  { kind: 'annotation', word: 'wandb.annotation' },
  { kind: 'runnable', word: 'wandb.runnable' },
] as const

/** Reads a type. Undefined for one that begins with the word of a named type but does not continue with a dot. */
export function parseFeedbackType(text: string): FeedbackType | undefined {
  const known = plain.get(text)
  if (known !== undefined) return known
  const family = named.find(({ word }) => text.startsWith(word))
  if (family === undefined) return { kind: 'custom' }
  return text[family.word.length] === '.' ? { kind: family.kind, name: text.slice(family.word.length + 1) } : undefined
}
