import { z } from 'zod'
import { listOf, tooManyEntries } from '../shapes/bounded.ts'
import { Identifier } from '../shapes/identifier.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { LenientBoolean, LenientCount, LenientInt, LenientNumber } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ChatCompletionRequest } from './chat-request.ts'
import { choiceOf } from './choice-of.ts'

/** The blocks of a message; the body of a request bounds them. */
const maxBlocks = 100_000

const Blocks = z.union([z.string(), listOf(JsonObjectShape, maxBlocks)])

/** A field of the form that has no effect here, or is refused by a rule of the handler: its value is not looked at. */
const anything = (why: string) => z.unknown().optional().describe(why)

/** What a prompt consists of. */
const promptShape = {
  model: orNull(Identifier).describe('A trained model, such as `entity/project/name` or `entity/project/name:step3`, or a base model'),
  messages: listOf(
    z.looseObject({
      role: choiceOf(['user', 'assistant', 'system']),
      content: Blocks.describe('Text, or blocks of type `text`, `thinking`, `tool_use` and `tool_result`'),
    }),
    100_000,
    tooManyEntries,
  ).describe('The conversation so far. A last message of the assistant is continued'),
  system: orNull(Blocks).describe('Text, or blocks of text'),
  tools: orNull(listOf(JsonObjectShape, 1_000, tooManyEntries)).describe(
    'Tools that the model may call, each with `name` and `input_schema`; tools that run on a server are refused. At most 1000',
  ),
  tool_choice: orNull(JsonObjectShape).describe('`type` is `auto`, `any`, `tool` with a `name`, or `none`; `disable_parallel_tool_use`'),
  thinking: orNull(JsonObjectShape).describe(
    '`type` `disabled` requests an answer without reasoning from the template, and leaves reasoning out; any other requests reasoning if the template can write it. `budget_tokens` is ignored',
  ),
  output_config: orNull(JsonObjectShape).describe(
    '`format` with a `json_schema` that the text follows; `effort` `low`, `medium` or `high` (`xhigh` and `max` count as `high`)',
  ),
  cache_control: anything('Ignored, here and in blocks and tools'),
  context_management: anything('Ignored: the conversation is used as it was sent'),
}

/** A request to count the tokens of a prompt. Unknown keys are ignored. */
export const CountTokensRequest = z.object(promptShape)
export type CountTokensRequest = z.output<typeof CountTokensRequest>

/** A request for a message in the form of Anthropic's API. Unknown keys are ignored; a value that is not implemented and would change the output gets 400. */
export const MessageRequest = z.object({
  ...promptShape,
  max_tokens: LenientCount.describe('Most tokens of the message'),
  stop_sequences: orNull(listOf(z.string(), 64, tooManyEntries)).describe('Texts that end the message; at most 64'),
  temperature: orNull(LenientNumber).describe('0 takes the likeliest token. Null: 1'),
  top_p: orNull(LenientNumber).describe('Null: 1'),
  top_k: orNull(LenientInt).describe('Null: all tokens'),
  stream: orDefault(LenientBoolean, false).describe('Respond with server-sent events'),
  seed: ChatCompletionRequest.shape.seed.describe(
    'An addition of this server. 64-bit integer: the same request with the same seed and weights gives the same message',
  ),
  return_token_ids: orNull(LenientBoolean).describe(
    'An addition of this server: return the ids of the tokens of prompt and message, and the log-probabilities of the latter',
  ),
  metadata: anything('Ignored'),
  service_tier: anything('Ignored'),
  inference_geo: anything('Ignored'),
  container: anything('Refused where it is set'),
  mcp_servers: anything('Refused where it is set: call tools in the client'),
})
export type MessageRequest = z.output<typeof MessageRequest>
