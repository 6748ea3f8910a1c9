import { stringifyJson } from '@heddle/json/exact'
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { cleanText, createRecordedText } from '../answer/clean-text.ts'
import { toErrorInfo } from '../answer/tool-error.ts'
import { toolNames } from '../tools/tools.ts'
import type { Services } from '../connection/connect-services.ts'
import type { ResourceWatch } from './watch-resources.ts'
import { configurationUri, resourceTemplates } from './resources.ts'

export interface ResourceOptions {
  services: Services
  /** Enabled features, without keys. */
  configuration: Record<string, unknown>
  /** Where clients of older revisions can be sent notices: over a connection that lasts. */
  watch?: Pick<ResourceWatch, 'add' | 'remove'>
}

/** Characters of a resource; a larger one is refused rather than cut, since it is read to have it whole. */
const maxCharacters = 1_000_000

/** Serves what can be read whole by a URI. */
export function serveResources(server: Server, { services, configuration, watch }: ResourceOptions): void {
  const recorded = createRecordedText(toolNames)
  server.setRequestHandler('resources/list', () => ({
    resources: [
      {
        uri: configurationUri,
        name: 'configuration',
        title: 'Configuration',
        description: 'What this server offers',
        mimeType: 'application/json',
      },
    ],
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resourceTemplates.map(({ name, title, description, uriTemplate }) => ({
      name,
      title,
      description,
      uriTemplate,
      mimeType: name === 'docs' ? 'text/markdown' : 'application/json',
    })),
  }))
  if (watch) {
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      if (!watch.add(uri))
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `${JSON.stringify(uri.slice(0, 200))} cannot be watched: jobs, their events and summaries of evaluations can, 20 of them at a time`,
        )
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      watch.remove(uri)
      return {}
    })
  }
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    if (uri === configurationUri) return toResult(uri, configuration, 60_000)
    for (const template of resourceTemplates) {
      const parts = template.match(uri)
      if (!parts) continue
      try {
        const value = await template.read(parts, { ...services, signal, configuration })
        return toResult(uri, template.name === 'docs' ? value : recorded(value), template.ttlMs)
      } catch (error) {
        signal.throwIfAborted()
        const { code, message, hint } = toErrorInfo(error)
        const text = `${cleanText(message)}. ${hint}`
        throw code === 'not_found' ? new ResourceNotFoundError(uri, text) : new ProtocolError(ProtocolErrorCode.InvalidParams, text)
      }
    }
    throw new ResourceNotFoundError(uri, `no resource ${JSON.stringify(uri.slice(0, 200))}; resources/templates/list has the forms of URIs`)
  })
}

function toResult(uri: string, value: unknown, ttlMs: number) {
  const isText = typeof value === 'string' && uri.startsWith('docs:')
  const text = isText ? value : stringifyJson(value)
  if (text.length > maxCharacters)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `the resource has ${text.length} characters, more than ${maxCharacters}; read a field of it`,
    )
  return {
    contents: [{ uri, mimeType: isText ? 'text/markdown' : 'application/json', text }],
    ttlMs,
    cacheScope: isText ? ('public' as const) : ('private' as const),
  }
}
