import type { TracingClient } from '../connect.ts'
import type { ForeignPrompt, JsonObject } from './foreign-item.ts'
import type { ImportTarget } from './import-target.ts'
import { importedName } from './imported-name.ts'

/**
 * Collects versions of prompts, then publishes them from the lowest number up, with their aliases. The server
 * reserves the aliases `latest` and `v` with a number.
 */
export function createPromptsWriter({ client, project, counts }: ImportTarget) {
  const prompts: ForeignPrompt[] = []
  return {
    add: (prompt: ForeignPrompt) => void prompts.push(prompt),
    async publish(): Promise<void> {
      for (const prompt of prompts.toSorted((a, b) => a.version - b.version)) {
        const object_id = importedName('prompt', prompt.name)
        const obj = { project_id: project, object_id, val: toPromptValue(prompt) }
        const { digest } = await client.objects.create({ obj } as Parameters<TracingClient['objects']['create']>[0])
        const aliases = prompt.aliases.filter((alias) => !/^(latest|v\d+)$/.test(alias))
        if (aliases.length > 0) await client.objects.setAliases({ project_id: project, object_id, digest, aliases })
        counts.count('versions of prompts')
      }
    },
  }
}

function toPromptValue({ template, details, version }: ForeignPrompt): JsonObject {
  const isText = typeof template === 'string'
  const name = isText ? 'StringPrompt' : 'MessagesPrompt'
  const content = isText ? { content: template } : { messages: template }
  return { _type: name, _class_name: name, _bases: ['Prompt', 'Object', 'BaseModel'], ...content, ...details, imported_version: version }
}
