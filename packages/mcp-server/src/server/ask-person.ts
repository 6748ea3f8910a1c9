import { createHash } from 'node:crypto'
import { stringifyJson } from '@heddle/json/exact'
import {
  type CallToolResult,
  type ClientCapabilities,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Confirmation } from '../tools/confirmation.ts'
import type { Tool } from '../tools/tool.ts'
import { toErrorResult } from './call-tool.ts'

/** A question to the user, sealed, held by the client until the answer. */
export interface ConsentState {
  tool: string
  /** Hash of the arguments. */
  given: string
  /** The text that the user must type. */
  name: string
  /** State of the target when the question was sent. */
  version: string
}

const key = 'confirm'

/** The version of the target that the user agreed to; undefined if no question was sent, or another text was typed. */
export function readConsent({ mcpReq }: ServerContext, tool: Tool, given: Record<string, unknown>): string | 'declined' | undefined {
  const state = mcpReq.requestState<ConsentState>()
  const answer = mcpReq.inputResponses?.[key] as { action?: unknown; content?: { name?: unknown } } | undefined
  if (typeof state !== 'object' || answer === undefined) return undefined
  if (answer.action === 'decline' || answer.action === 'cancel') return 'declined'
  const isSame = state.tool === tool.name && state.given === hashOf(given)
  return isSame && answer.action === 'accept' && answer.content?.name === state.name ? state.version : undefined
}

interface Asking {
  context: ServerContext
  server: Server
  tool: Tool
  given: Record<string, unknown>
  codec: RequestStateCodec<ConsentState>
}

/**
 * Asks the user at the client to type the name of the target to delete. A client that cannot ask receives a description of the target, and how to
 * proceed.
 */
export async function askPerson(
  { confirmation: { message, name, version } }: { confirmation: Confirmation['confirm'] },
  { context, server, tool, given, codec }: Asking,
): Promise<CallToolResult | InputRequiredResult> {
  if (!canAsk(context, server)) {
    return toErrorResult({
      code: 'forbidden',
      message: `${message} It was not done: this client cannot ask a person`,
      retryable: false,
      hint: `If the person agrees, call ${tool.name} again with confirm: ${JSON.stringify(name)}.`,
    }).result
  }
  return inputRequired({
    inputRequests: {
      [key]: inputRequired.elicit({
        message: `${message} Type ${JSON.stringify(name)} to confirm.`,
        requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] },
      }),
    },
    requestState: await codec.mint({ tool: tool.name, given: hashOf(given), name, version }, context),
  })
}

/** The capabilities are sent with each request, or were sent when an older client connected. */
function canAsk({ mcpReq }: ServerContext, server: Server): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {}
  const { elicitation } = (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities() ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

function hashOf(given: Record<string, unknown>): string {
  return createHash('sha256').update(stringifyJson(given)).digest('base64url')
}
