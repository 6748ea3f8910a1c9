import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { cleanText } from '../answer/clean-text.ts'
import { nearestName } from '../tools/schema/nearest-name.ts'
import { prompts } from './prompts.ts'

const maxCharacters = 2_000

/** Serves the ways of working that a person picks. */
export function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, title, description, arguments: list }) => ({ name, title, description, arguments: [...list] })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name)
    if (!prompt) {
      const nearest = nearestName(
        params.name,
        prompts.map(({ name }) => name),
      )
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `no prompt ${JSON.stringify(params.name.slice(0, 60))}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
      )
    }
    const given = Object.fromEntries(
      Object.entries(params.arguments ?? {}).map(([name, text]) => [name, cleanText(text).slice(0, maxCharacters)]),
    )
    const missing = prompt.arguments.filter(({ name, required }) => required && !given[name]).map(({ name }) => name)
    if (missing.length > 0) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `prompt ${prompt.name} needs ${missing.join(', ')}`)
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(given) } }],
    }
  })
}
