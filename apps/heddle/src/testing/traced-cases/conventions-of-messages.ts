import type { TracedCase } from './traced-case.ts'

const question = 'Which river flows through Ulm?'
const answer = 'The Danube does.'

const asked = [{ role: 'user', content: question }]
const answered = { role: 'assistant', content: answer }
const text = JSON.stringify
const parts = (role: string, content: string, ...more: object[]) => [{ role, parts: [{ type: 'text', content }, ...more] }]
/** Of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const chat = { 'gen_ai.operation.name': 'chat' }
const asksWithImage = parts('user', question, { type: 'blob', mime_type: 'image/png', modality: 'image', content: png })

/** By the name of the thread of each: a question and its answer as a convention writes them. */
const attributesOf: Record<string, Record<string, string>> = {
  openllmetry: {
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': question,
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.content': answer,
  },
  openinference: {
    'openinference.span.kind': 'LLM',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': question,
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': answer,
  },
  'openinference-values': {
    'openinference.span.kind': 'LLM',
    'input.value': text({ messages: asked }),
    'output.value': text({ choices: [{ message: answered }] }),
  },
  'ai-sdk': { 'ai.operationId': 'ai.generateText.doGenerate', 'ai.prompt.messages': text(asked), 'ai.response.text': answer },
  langfuse: {
    'langfuse.observation.type': 'generation',
    'langfuse.observation.input': text(asked),
    'langfuse.observation.output': text(answered),
  },
  'pydantic-ai': {
    'gen_ai.agent.name': 'guide',
    'pydantic_ai.all_messages': text([
      { role: 'user', parts: [{ type: 'text', content: question }] },
      { role: 'assistant', parts: [{ type: 'text', content: answer }] },
    ]),
  },
  mlflow: { 'mlflow.spanInputs': text({ messages: asked }), 'mlflow.spanOutputs': text({ choices: [{ message: answered }] }) },
  'semantic-conventions': {
    ...chat,
    'gen_ai.input.messages': text(parts('user', question)),
    'gen_ai.output.messages': text(parts('assistant', answer)),
  },
  'an-image': {
    ...chat,
    'gen_ai.input.messages': text(asksWithImage),
    'gen_ai.output.messages': text(parts('assistant', answer)),
  },
}

export const conventionsOfMessages: readonly TracedCase[] = [
  {
    name: 'a question and its answer in nine conventions',
    sent: {
      protocol: 'spans',
      traces: Object.entries(attributesOf).map(([thread, attributes]) => ({
        name: `ask ${thread}`,
        attributes: { 'session.id': thread, ...attributes },
      })),
    },
    traces: Object.keys(attributesOf).map((thread) => ({
      root: `ask ${thread}`,
      status: 'success',
      thread,
      cost: null,
      said: [
        { role: 'user', text: question, ...(thread === 'an-image' && { hasImage: true as const }) },
        { role: 'assistant', text: answer },
      ],
    })),
  },
]
