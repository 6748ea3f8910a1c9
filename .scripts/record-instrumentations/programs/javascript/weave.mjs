// The SDK of Weave with its wrapped client of OpenAI; it sends calls by its own protocol.
import OpenAI from 'openai'
import * as weave from 'weave'
import { callOpenai } from './openai-calls.mjs'

const { PROVIDER_URL: providerUrl, WEAVE_PROJECT: project } = process.env
const sdk = await weave.init(project)
const client = weave.wrapOpenAI(new OpenAI({ baseURL: `${providerUrl}/v1`, apiKey: 'none', maxRetries: 0 }))
/** The server takes no spaces in names of ops. */
const around = (name, _sessionId, work) => weave.op(() => work(), { name: name.replaceAll(' ', '_') })()
const aroundTool = (name, input, work) => weave.op(async (given) => work(given), { name })(input)
await callOpenai({ client, around, aroundTool })
await sdk.waitForBatchProcessing()
process.exit(0)
