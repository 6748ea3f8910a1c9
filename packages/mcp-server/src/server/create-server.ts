import { randomBytes } from 'node:crypto'
import {
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  type ListToolsResult,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { nearestName } from '@heddle/spelling'
import { toErrorInfo } from '../answer/tool-error.ts'
import { createOnDemandTools } from '../on-demand/on-demand-tools.ts'
import { completeArgument } from '../prompts/complete-argument.ts'
import { servePrompts } from '../prompts/serve-prompts.ts'
import { serveResources } from '../resources/serve-resources.ts'
import type { ResourceWatch } from '../resources/watch-resources.ts'
import { describeTool } from '../tools/schema/describe-tool.ts'
import type { Tool } from '../tools/tool.ts'
import { toolsets } from '../tools/toolset.ts'
import { version } from '../version.ts'
import { askPerson, type ConsentState, readConsent } from './ask-person.ts'
import { createCallTool, toErrorResult } from './call-tool.ts'
import type { McpCaller } from '../connection/caller.ts'
import { chosenTools } from './chosen-tools.ts'
import { connectServices } from '../connection/connect-services.ts'
import { icons } from './server-info.ts'
import { instructions } from './server-info.ts'
import { createReporter } from './request-meta.ts'
import type { ServerOptions } from '../connection/server-options.ts'
import { traceOf } from './request-meta.ts'

const hourMs = 3_600_000
const isPublic = { ttlMs: hourMs, cacheScope: 'public' as const }
/** The available tools differ between callers if their keys do. */
const isPrivate = { ttlMs: hourMs, cacheScope: 'private' as const }
const consentSeconds = 300

/** Properties of the connection that a server is for. */
export interface Connection {
  /** Whether clients may subscribe to notices about resources. */
  takesSubscriptions?: boolean
  /** Given where clients of all revisions may. */
  watch?: Pick<ResourceWatch, 'add' | 'remove'>
}

/** Returns a factory of servers for one connection or one request each; it keeps the state that they share. */
export function createServerFactory(options: ServerOptions): (caller?: McpCaller, connection?: Connection) => Server {
  const sealKey = options.sealKey ?? randomBytes(32)
  const callTool = createCallTool({ ...options, sealKey })
  const offeredToAll = chosenTools(options)

  return (caller = {}, { watch, takesSubscriptions = watch !== undefined } = {}) => {
    const choices = [caller.choice, caller.wanted].filter((choice) => choice !== undefined)
    const offered = choices.reduce((left, choice) => chosenTools({ toolsets, ...choice }, left), offeredToAll)
    const onDemand = options.onDemand === true ? createOnDemandTools(offered) : undefined
    const listed = onDemand?.listed ?? offered
    const lists = choices.length === 0 ? isPublic : isPrivate
    const codec = createRequestStateCodec<ConsentState>({
      key: caller.sealKey ?? sealKey,
      ttlSeconds: consentSeconds,
      bind: (context) => context.http?.authInfo?.clientId ?? '',
    })
    const server = new Server(
      { name: 'heddle', title: 'Heddle', version, icons },
      {
        capabilities: { tools: {}, resources: takesSubscriptions ? { subscribe: true } : {}, prompts: {}, completions: {} },
        instructions,
        cacheHints: {
          'tools/list': lists,
          'server/discover': isPublic,
          'prompts/list': isPublic,
          'resources/templates/list': isPublic,
          'resources/list': isPublic,
        },
        requestState: { verify: codec.verify },
      },
    )

    async function callNamed(name: string, given: Record<string, unknown>, context: ServerContext) {
      const tool = listed.find((one) => one.name === name)
      if (!tool)
        return unknownTool(
          name,
          listed.map((one) => one.name),
        )
      try {
        const wanted = onDemand?.resolve(tool, given)
        return wanted ? call(wanted.tool, wanted.given, context) : call(tool, given, context)
      } catch (error) {
        return toErrorResult(toErrorInfo(error)).result
      }
    }

    async function call(tool: Tool, given: Record<string, unknown>, context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
      const { signal } = context.mcpReq
      const consent = readConsent(context, tool, given)
      if (consent === 'declined')
        return {
          content: [{ type: 'text', text: 'The person declined. Nothing was changed.' }],
          structuredContent: { data: { reason: 'declined' }, warnings: [] },
        }
      const report = createReporter(context)
      const outcome = await callTool(tool, given, {
        signal,
        report,
        caller,
        ...traceOf(context),
        ...(consent !== undefined && { confirmed: consent }),
      })
      if (outcome.kind === 'result') return outcome.result
      return askPerson(outcome, { context, server, tool, given, codec })
    }

    server.setRequestHandler('tools/list', () => ({ tools: listed.map(describeTool) as unknown as ListToolsResult['tools'] }))
    server.setRequestHandler('tools/call', ({ params }, context) => callNamed(params.name, params.arguments ?? {}, context))
    const services = connectServices(options, caller)
    serveResources(server, { services, configuration: describeConfiguration(options, offered), ...(watch && { watch }) })
    servePrompts(server, options.project)
    server.setRequestHandler('completion/complete', async ({ params: { argument, context } }, { mcpReq }) => {
      const completing = { ...services, defaultProject: options.project, signal: mcpReq.signal }
      // While a user types, no suggestions are better than an error.
      const values = await completeArgument(argument.name, argument.value, context?.arguments ?? {}, completing).catch(() => [])
      return { completion: { values, total: values.length, hasMore: false } }
    })
    return server
  }
}

/** Enabled features; never a key. */
function describeConfiguration({ project, maxTokens = 20_000 }: ServerOptions, offered: readonly Tool[]): Record<string, unknown> {
  return { version, project: project ?? null, max_tokens: maxTokens, tools: offered.map(({ name }) => name) }
}

function unknownTool(name: string, known: readonly string[]): CallToolResult {
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? `The tools are ${known.join(', ')}.` : `Did you mean ${nearest}?`
  return toErrorResult({
    code: 'not_found',
    message: `no tool ${JSON.stringify(name.slice(0, 60))} is offered here`,
    retryable: false,
    hint,
  }).result
}
