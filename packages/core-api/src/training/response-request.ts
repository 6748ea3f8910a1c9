import { z } from 'zod'
import { listOf, recordOf, tooManyEntries } from '../shapes/bounded.ts'
import { Identifier } from '../shapes/identifier.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { LenientBoolean, LenientCount, lenientIntBetween, LenientNumber } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ChatCompletionRequest } from './chat-request.ts'

const ignored = (why: string) => z.unknown().optional().describe(why)

/** A request for a response in the form of OpenAI's API. Unknown keys are ignored; a value that is not implemented and would change the output gets 400. */
export const ResponseRequest = z.object({
  model: orNull(Identifier).describe('A trained model, such as `entity/project/name` or `entity/project/name:step3`, or a base model'),
  input: z
    .union([z.string(), listOf(JsonObjectShape, 100_000, tooManyEntries)])
    .describe('Text of a user, or items: messages of text, `function_call`, `function_call_output` and `reasoning`'),
  instructions: orNull(z.string()).describe('System prompt of this request alone'),
  previous_response_id: orNull(Identifier).describe('A stored response, whose conversation the input continues'),
  store: orDefault(LenientBoolean, true).describe(
    'Keep the response with its conversation for 30 days, for `previous_response_id` and for reading it',
  ),
  tools: orNull(listOf(JsonObjectShape, 1_000, tooManyEntries)).describe(
    'Functions that the model may call, and namespaces of them (`type` `namespace`), which it sees by names like `namespace__function`; other tools are refused. At most 1000',
  ),
  tool_choice: ignored('`none`, `auto`, `required` or a function. Null: `auto` with tools'),
  parallel_tool_calls: orNull(LenientBoolean).describe('Null: true'),
  text: orNull(JsonObjectShape).describe('`format`: `text`, `json_object`, or a `json_schema` that the text follows'),
  reasoning: orNull(JsonObjectShape).describe('`effort` `low`, `medium` or `high` for templates that know it; `none` turns reasoning off'),
  max_output_tokens: orNull(LenientCount).describe('Most tokens of the response. Null: up to the end of the context'),
  temperature: orNull(LenientNumber).describe('0 takes the likeliest token. Null: 1'),
  top_p: orNull(LenientNumber).describe('Null: 1'),
  include: orNull(listOf(z.string().max(200), 100, tooManyEntries)).describe(
    '`message.output_text.logprobs`: log-probabilities of all sampled tokens; anything else is ignored. At most 100',
  ),
  top_logprobs: orNull(lenientIntBetween(0, 20)).describe('Alternatives for each token, 0 to 20'),
  stream: orDefault(LenientBoolean, false).describe('Respond with server-sent events'),
  seed: ChatCompletionRequest.shape.seed.describe(
    'An addition of this server. 64-bit integer: the same request with the same seed and weights gives the same response',
  ),
  metadata: orNull(recordOf(z.string().max(512), 16)).describe('At most 16 texts, which the response repeats'),
  truncation: orNull(Identifier).describe('`disabled`: a prompt that is too long is refused'),
  background: orNull(LenientBoolean).describe('Refused where it is true'),
  conversation: ignored('Refused where it is set: name the previous response'),
  prompt: ignored('Refused where it is set: send the input'),
  context_management: ignored('Ignored: the conversation is used as it was sent'),
  user: ignored('Ignored'),
  service_tier: ignored('Ignored'),
  safety_identifier: ignored('Ignored'),
  prompt_cache_key: ignored('Ignored'),
  prompt_cache_retention: ignored('Ignored'),
  stream_options: ignored('Ignored'),
})
export type ResponseRequest = z.output<typeof ResponseRequest>
