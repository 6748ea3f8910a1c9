import { client } from '../../../app/client.ts'

type CreatedObject = Parameters<typeof client.objects.create>[0]

/** Publishes messages as the next version of a prompt. */
export async function publishPrompt(project_id: string, object_id: string, messages: readonly unknown[]): Promise<{ objectId: string }> {
  const val = { _type: 'MessagesPrompt', _class_name: 'MessagesPrompt', _bases: ['Prompt', 'Object', 'BaseModel'], messages }
  await client.objects.create({ obj: { project_id, object_id, val } } as unknown as CreatedObject)
  return { objectId: object_id }
}
