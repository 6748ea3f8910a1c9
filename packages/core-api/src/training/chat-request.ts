import { z } from 'zod'
import { listOf, recordOf, tooManyEntries } from '../shapes/bounded.ts'
import { checked } from '../shapes/checked.ts'
import { Identifier } from '../shapes/identifier.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { LenientBoolean, LenientCount, LenientInt, LenientNumber, lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ChatMessage } from './message-or-choice.ts'

const flag = (fallback: boolean, what: string) => orDefault(LenientBoolean, fallback).describe(what)
const number = (what: string) => orNull(LenientNumber).describe(what)
/** A field that is accepted in any form; the service refuses the values that it does not implement. */
const anything = (what: string) =>
  z
    .unknown()
    .optional()
    .transform((value): unknown => value ?? null)
    .describe(what)

const Seed = checked<bigint | number, number>((value) => value as bigint | number, { type: 'integer' })

const ResponseFormat = z.looseObject({
  type: Identifier.describe('`text`, `json_object`, `json_schema` or `structural_tag`'),
  json_schema: orNull(
    z.looseObject({
      name: orNull(Identifier),
      schema: orNull(JsonObjectShape).describe(
        'JSON Schema of the content, as zod and pydantic write it: references within it, types, constants, combinations, bounds, patterns, formats, properties by name or pattern, tuples. Alternatives of `oneOf` that cannot be distinguished need not exclude each other. A keyword that decides what is valid and is not enforced gets 400 with the way out; any other one is an annotation',
      ),
      strict: orNull(LenientBoolean),
    }),
  ),
})

/** A request for a chat completion. Unknown keys are ignored; a value that is not implemented and would change the output gets 400. */
export const ChatCompletionRequest = z.object({
  model: orNull(Identifier).describe('A trained model, such as `entity/project/name` or `entity/project/name:step3`, or a base model'),
  messages: listOf(ChatMessage, 100_000, tooManyEntries).describe('The conversation so far'),
  temperature: number('0 takes the likeliest token. Null: 1'),
  top_p: number('Null: 1'),
  top_k: orNull(LenientInt).describe('Null, 0 and -1: all tokens'),
  min_p: number('Null: 0'),
  max_tokens: orNull(LenientCount).describe('Tokens of a completion. Null: up to the end of the context'),
  max_completion_tokens: orNull(LenientCount).describe('The same; wins over `max_tokens`'),
  n: orDefault(lenientIntBetween(1, 128), 1).describe('Number of choices, 1 to 128'),
  stop: orNull(z.union([z.string(), listOf(z.string(), 64, tooManyEntries)])).describe('Texts that end a completion; at most 64'),
  stop_token_ids: orNull(listOf(LenientInt, 1_000, tooManyEntries)).describe('Tokens that end a completion; at most 1000'),
  include_stop_str_in_output: flag(false, 'Keep the text of `stop` in the content'),
  seed: orNull(Seed).describe('64-bit integer. The same request with the same seed and weights gives the same completion'),
  logprobs: orNull(LenientBoolean).describe('Always on for trained models'),
  top_logprobs: orNull(lenientIntBetween(0, 20)).describe('Alternatives for each token, 0 to 20'),
  frequency_penalty: number('-2 to 2. Null: 0'),
  presence_penalty: number('-2 to 2. Null: 0'),
  repetition_penalty: number('Above 0. Null: 1'),
  logit_bias: orNull(recordOf(LenientNumber, 10_000)).describe('Added to the logits of tokens, by token id; at most 10,000'),
  bad_words: orNull(listOf(z.string(), 1_000, tooManyEntries)).describe('Texts that must not appear'),
  allowed_token_ids: orNull(listOf(LenientInt, 1_000_000, tooManyEntries)).describe('The only tokens that may be sampled'),
  min_tokens: orNull(LenientCount).describe('Tokens before a completion may stop'),
  ignore_eos: flag(false, 'Continue after the end-of-turn token'),
  tools: orNull(listOf(JsonObjectShape, 1_000, tooManyEntries)).describe('Tools that the model may call; at most 1000'),
  tool_choice: anything('`none`, `auto`, `required` or a function. Null: `auto` with tools'),
  parallel_tool_calls: orNull(LenientBoolean).describe('Null: true'),
  response_format: orNull(ResponseFormat).describe('Form of the content'),
  stream: flag(false, 'Respond with server-sent events'),
  stream_options: orNull(z.looseObject({ include_usage: orDefault(LenientBoolean, false) })).describe(
    '`include_usage` adds a last event with the usage',
  ),
  return_token_ids: orNull(LenientBoolean).describe('Return the ids of prompt and completion'),
  return_tokens_as_token_ids: orNull(LenientBoolean).describe(
    'Write tokens of log-probabilities as `token_id:<id>`. Null: for trained models',
  ),
  chat_template_kwargs: orNull(JsonObjectShape).describe('Variables of the chat template'),
  echo: flag(false, 'Return the prompt with the completion'),
  add_generation_prompt: flag(true, 'Begin a turn of the assistant'),
  continue_final_message: flag(false, 'Continue the last message instead'),
  add_special_tokens: flag(false, 'Add special tokens to what the template wrote'),
  reasoning_effort: orNull(Identifier).describe('`low`, `medium` or `high`'),
  include_reasoning: flag(true, 'Return the reasoning'),
  prompt_logprobs: anything('Not implemented'),
  truncate_prompt_tokens: anything('Not implemented'),
  structured_outputs: anything('Not implemented'),
  logits_processors: anything('Refused: it would run code of the caller'),
  chat_template: anything('Refused: it would run code of the caller'),
  documents: anything('Not implemented'),
  mm_processor_kwargs: anything('Not implemented'),
  request_id: orNull(z.string()).describe('Ignored'),
  priority: anything('Ignored'),
  cache_salt: anything('Ignored'),
  user: anything('Ignored'),
  nvext: anything('Ignored'),
})
export type ChatCompletionRequest = z.output<typeof ChatCompletionRequest>
