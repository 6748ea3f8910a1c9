import { client } from '../../../lib/server/client.ts'
import type { DraftMessage } from '../../../features/playground/draft/draft-message.ts'
import { toMessages } from '../../../features/playground/draft/draft.ts'
import { toPromptText } from '../../../features/playground/draft/variables.ts'

type CreatedObject = Parameters<typeof client.objects.create>[0]

/** Publishes messages as the next version of a prompt. @throws DraftProblem */
export async function publishPrompt(
  project_id: string,
  object_id: string,
  messages: readonly DraftMessage[],
): Promise<{ objectId: string }> {
  const texts = messages.map((message) => (message.isParts ? message : { ...message, content: toPromptText(message.content) }))
  const val = {
    _type: 'MessagesPrompt',
    _class_name: 'MessagesPrompt',
    _bases: ['Prompt', 'Object', 'BaseModel'],
    messages: toMessages(texts),
  }
  await client.objects.create({ obj: { project_id, object_id, val } } as unknown as CreatedObject)
  return { objectId: object_id }
}
