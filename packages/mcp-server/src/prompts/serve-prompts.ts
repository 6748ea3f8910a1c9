import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { nearestName } from '@heddle/spelling'
import { cleanText } from '../answer/clean-text.ts'
import { type PromptArgument, prompts, type PromptTemplate } from './prompts.ts'

const maxCharacters = 2_000

/** Serves the workflows that a user picks. A prompt without a project uses the server's default. */
export function servePrompts(server: Server, defaultProject: string | undefined): void {
  const listed = prompts.map(({ name, title, description, arguments: list }) => ({
    name,
    title,
    description,
    arguments: list.map((argument) => withDefault(argument, defaultProject)),
  }))
  server.setRequestHandler('prompts/list', () => ({ prompts: listed }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = findPrompt(params.name)
    const given: Record<string, string> = {
      ...(defaultProject !== undefined && { project: defaultProject }),
      ...cleanArguments(params.arguments ?? {}),
    }
    const missing = prompt.arguments.filter(({ name, required }) => required && !given[name]).map(({ name }) => name)
    if (missing.length > 0) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `prompt ${prompt.name} needs ${missing.join(', ')}`)
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(given) } }],
    }
  })
}

function withDefault(argument: PromptArgument, defaultProject: string | undefined): PromptArgument {
  if (argument.name !== 'project' || defaultProject === undefined) return { ...argument }
  return { ...argument, description: `${argument.description}; ${defaultProject} when left out`, required: false }
}

/** @throws ProtocolError that names the nearest prompt */
function findPrompt(name: string): PromptTemplate {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt) return prompt
  const nearest = nearestName(
    name,
    prompts.map((one) => one.name),
  )
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no prompt ${JSON.stringify(name.slice(0, 60))}${hint}`)
}

/** Arguments with text, without what a model must not see, and shortened. */
function cleanArguments(given: Readonly<Record<string, string>>): Record<string, string> {
  const cleaned = Object.entries(given).map(([name, text]) => [name, cleanText(text).slice(0, maxCharacters)] as const)
  return Object.fromEntries(cleaned.filter(([, text]) => text !== ''))
}
