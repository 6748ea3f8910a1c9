import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ChatAnthropic } from '@langchain/anthropic'
import { tool as langchainTool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, isStepCount, Output, streamText, tool } from 'ai'
import { z } from 'zod'

// The model says "done" in answer to a text and to a result, and calls the tool Bash where it has it.
const [server = '', apiKey = '', model = ''] = process.argv.slice(2)
const baseURL = `${server}/v1`
const maxRetries = 0
const scripted = { command: 'echo made > made.txt' }
const command = z.object({ command: z.string() })
const age = z.object({ age: z.number().int().min(1).max(9) })
const isAge = (value) => assert.ok(age.safeParse(value).success, JSON.stringify(value))

const openai = createOpenAI({ baseURL, apiKey })
const ofAiSdk = {
  responses: openai.responses(model),
  'chat completions': openai.chat(model),
  messages: createAnthropic({ baseURL, apiKey })(model),
  'a compatible provider': createOpenAICompatible({ name: 'heddle', baseURL, apiKey, supportsStructuredOutputs: true })(model),
}

for (const [surface, each] of Object.entries(ofAiSdk)) {
  describe(`the AI SDK over ${surface}`, () => {
    const asked = { model: each, maxRetries, prompt: 'hi' }

    test('reads and streams a text', async () => {
      assert.equal((await generateText(asked)).text, 'done')
      assert.equal(await streamText(asked).text, 'done')
    })

    test('runs a tool and sends its result, also streamed', async () => {
      const commands = []
      const execute = async (input) => {
        commands.push(input)
        return 'ran'
      }
      const tools = { Bash: tool({ description: 'Run a command.', inputSchema: command, execute }) }
      const withTools = { ...asked, tools, stopWhen: isStepCount(3) }
      const { text, steps } = await generateText(withTools)
      assert.deepEqual([text, steps.length], ['done', 2])
      const streamed = streamText(withTools)
      assert.deepEqual([await streamed.text, (await streamed.steps).length], ['done', 2])
      assert.deepEqual(commands, [scripted, scripted])
    })

    test('reads an object of a schema', async () => {
      const { output } = await generateText({ ...asked, maxOutputTokens: 300, output: Output.object({ schema: age }) })
      isAge(output)
    })
  })
}

const openaiOptions = { model, apiKey, maxRetries, configuration: { baseURL } }
const ofLangchain = {
  'chat completions': new ChatOpenAI(openaiOptions),
  responses: new ChatOpenAI({ ...openaiOptions, useResponsesApi: true }),
  messages: new ChatAnthropic({ model, apiKey, maxRetries, anthropicApiUrl: server, maxTokens: 200 }),
}

for (const [surface, chat] of Object.entries(ofLangchain)) {
  describe(`LangChain over ${surface}`, () => {
    test('reads and streams a text', async () => {
      assert.equal((await chat.invoke('hi')).text, 'done')
      let text = ''
      for await (const part of await chat.stream('hi')) text += part.text
      assert.equal(text, 'done')
    })

    test('reads the call of a tool and sends its result', async () => {
      const shell = langchainTool(async () => 'ran', { name: 'Bash', description: 'Run a command.', schema: command })
      const withTools = chat.bindTools([shell])
      const called = await withTools.invoke('Make a file.')
      const [call] = called.tool_calls
      assert.deepEqual([call.name, call.args], ['Bash', scripted])
      assert.equal((await withTools.invoke(['Make a file.', called, await shell.invoke(call)])).text, 'done')
    })

    test('reads an object of a schema', async () => {
      const method = surface === 'messages' ? undefined : 'jsonSchema'
      isAge(await chat.withStructuredOutput(age, { method }).invoke('hi'))
    })
  })
}
