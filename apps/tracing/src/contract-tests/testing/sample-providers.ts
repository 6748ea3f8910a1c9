import { createModelProviders } from '../../providers/model-providers.ts'

const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] }
const complete = async () => ({ status: 'succeeded' as const, body: answer })

/** A provider of sample requests: it completes in this process, and cannot be reached for anything else. */
export const sampleProviders = createModelProviders(
  [{ name: 'near', baseUrl: 'http://127.0.0.1:1/v1', apiKey: undefined, complete }],
  'near',
)
