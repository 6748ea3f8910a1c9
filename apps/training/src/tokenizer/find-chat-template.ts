import { join } from 'node:path'
import { findModelFile, findModelJson } from './model-files.ts'

interface NamedTemplate {
  name?: unknown
  template?: unknown
}

/** The sources of a model's chat templates. Few models have a separate one for conversations with tools. */
export interface ChatTemplateSources {
  /** The file that has them. */
  path: string
  defaultTemplate: string
  withTools: string
}

/**
 * Looks for a chat template in `chat_template.jinja`, `chat_template.json` and `tokenizer_config.json`, as the Transformers library does. Null if there is
 * none: the model completes text only.
 */
export async function findChatTemplate(folder: string, config: Readonly<Record<string, unknown>>): Promise<ChatTemplateSources | null> {
  const file = await findModelFile(folder, 'chat_template.jinja')
  if (file !== null) return { path: join(folder, 'chat_template.jinja'), defaultTemplate: file, withTools: file }
  const json = await findModelJson(folder, 'chat_template.json')
  const inJson = json?.['chat_template'] ?? null
  const path = join(folder, inJson === null ? 'tokenizer_config.json' : 'chat_template.json')
  const picked = pickTemplates(inJson ?? config['chat_template'])
  return picked && { path, ...picked }
}

function pickTemplates(value: unknown): Omit<ChatTemplateSources, 'path'> | null {
  if (typeof value === 'string') return { defaultTemplate: value, withTools: value }
  const named = (name: string) => templatesOf(value).find((template) => template.name === name)?.template
  const defaultTemplate = named('default')
  if (typeof defaultTemplate !== 'string') return null
  const withTools = named('tool_use')
  return { defaultTemplate, withTools: typeof withTools === 'string' ? withTools : defaultTemplate }
}

function templatesOf(value: unknown): NamedTemplate[] {
  if (Array.isArray(value)) return value.filter((template): template is NamedTemplate => typeof template === 'object' && template !== null)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, template]) => ({ name, template: template as unknown }))
}
