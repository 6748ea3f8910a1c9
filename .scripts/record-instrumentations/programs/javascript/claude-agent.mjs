// The Claude Agent SDK with the telemetry of the program that it starts, or traced by OpenInference: INSTRUMENTATION names which.
import * as sdk from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'
import { brokenQuestion, getWeather, hardQuestion, refusedQuestion, tripQuestion, weatherDescription } from './weather.mjs'

let { query } = sdk
let end = async () => {}
if (process.env.INSTRUMENTATION === 'openinference') {
  const tracing = await import('./tracing.mjs')
  const { ClaudeAgentSDKInstrumentation } = await import('@arizeai/openinference-instrumentation-claude-agent-sdk')
  query = new ClaudeAgentSDKInstrumentation({ tracerProvider: tracing.provider }).manuallyInstrument(sdk).query
  end = tracing.end
}
const content = (text) => ({ content: [{ type: 'text', text }] })
const weather = sdk.tool('get_weather', weatherDescription, { city: z.string() }, async (input) => content(getWeather(input)))
const server = () => sdk.createSdkMcpServer({ name: 'trip', version: '1.0.0', tools: [weather] })

const prompts = [tripQuestion, hardQuestion, brokenQuestion, refusedQuestion]
for (const [at, prompt] of prompts.entries()) {
  const options = {
    model: 'claude-sonnet-4-5',
    systemPrompt: 'You plan trips.',
    mcpServers: { trip: server() },
    allowedTools: ['mcp__trip__get_weather'],
    tools: [],
    settingSources: [],
    maxTurns: 4,
    extraArgs: { 'session-id': `00000000-0000-4000-8000-00000000000${at + 1}` },
    env: process.env,
    stderr: (text) => process.stderr.write(text),
  }
  try {
    for await (const message of query({ prompt, options })) if (message.type === 'result') process.stdout.write(`${message.subtype}\n`)
  } catch (error) {
    process.stdout.write(`failed: ${error.message}\n`)
  }
}
await end()
