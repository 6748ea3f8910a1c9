import { readConversation, toChatMessages } from '@heddle/trace-model'
import type { TracedCall } from './traced-call.ts'

interface Payloads {
  inputs: unknown
  output: unknown
}

/** Attributes and events of spans that hold messages, each convention in its own form. */
const messageNames = /^(events\.gen_ai|gen_ai|llm)\./

/** Inputs and output of a call; messages that a span holds in any convention are in the form of chat completions. */
export function readablePayloads(call: TracedCall): Payloads {
  const { input, output } = readConversation(call)
  return {
    inputs: input.length > 0 && isOfMessages(call.inputs) ? toChatMessages(input) : call.inputs,
    output: output.length > 0 && isOfMessages(call.output) ? toChatMessages(output) : call.output,
  }
}

function isOfMessages(payload: unknown): boolean {
  const names = typeof payload === 'object' && payload !== null ? Object.keys(payload) : []
  return names.length > 0 && names.every((name) => messageNames.test(name))
}
