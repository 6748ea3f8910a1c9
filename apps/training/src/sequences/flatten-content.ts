import type { MessageContent } from './trajectory.ts'
import { TrainingInputError } from './training-input-error.ts'

/** Content as one text, as templates get it: parts joined by line breaks, null empty. @throws TrainingInputError for a part that is not text */
export function flattenContent(content: MessageContent, place: string): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  return content.map((part) => partText(part, place)).join('\n')
}

function partText({ type, text }: { type?: unknown; text?: unknown }, place: string): string {
  if (typeof text === 'string') return text
  throw new TrainingInputError(
    `${place} has content of type ${JSON.stringify(type ?? null)}, which is not text; the models here read text alone`,
  )
}
