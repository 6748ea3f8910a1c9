import { stringifyJson } from '@heddle/json'
import { connectExactly } from '../connect.ts'
import type { Configuration } from '../settings/configuration.ts'
import { withProgress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { toTerminalText } from '../terminal/terminal-text.ts'
import { maxCallsOfMessages, readMessages } from '../traces/read-messages.ts'
import type { TracedCall } from '../traces/traced-call.ts'
import { drawMessages } from '../training/draw-messages.ts'

interface MessagesDeps {
  configuration: Configuration
  terminal: Terminal
  signal: AbortSignal
}

/** Prints the messages of a trace: those to its models and agents, and their responses. */
export async function printMessages(
  calls: readonly TracedCall[],
  { project, json }: { project: string; json?: boolean },
  { configuration, terminal, signal }: MessagesDeps,
): Promise<void> {
  // What was said may hold numbers that are exact as text alone.
  const client = await connectExactly(configuration)
  const said = await withProgress(terminal, 'Reading messages', () => readMessages({ client, project, signal }, calls))
  if (json) terminal.json(stringifyJson(said.map(({ callId, message }) => ({ call_id: callId, ...message }))))
  else if (said.length > 0) terminal.out(drawMessages(said.map(({ message }) => ({ ...message }))).join('\n'))
  else terminal.note(`No call of trace ${toTerminalText(calls[0]?.trace_id ?? '')} has messages in a form that is known.`)
  if (calls.length > maxCallsOfMessages) terminal.note(`Messages are those of the first ${maxCallsOfMessages} calls of the trace.`)
}
