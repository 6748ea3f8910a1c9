/**
 * Names under which spans report usage, with their senders: the packages in which the name was found, or the convention that defines it. For each
 * count, the first name with a value wins. Details are part of the whole count in the same table unless `separateUsage` lists them.
 */
export const usageNames = {
  input_tokens: [['gen_ai.usage.input_tokens', 'OpenTelemetry from 1.27, pydantic-ai, LiteLLM, Strands, ADK, AI SDK']],
  output_tokens: [['gen_ai.usage.output_tokens', 'OpenTelemetry from 1.27, pydantic-ai, LiteLLM, Strands, ADK, AI SDK']],
  prompt_tokens: [
    ['gen_ai.usage.prompt_tokens', 'OpenTelemetry before 1.27, OpenLLMetry, LiteLLM, Strands, AI SDK 4'],
    ['llm.token_count.prompt', 'OpenInference'],
    ['ai.usage.promptTokens', 'AI SDK 4'],
    ['ai.usage.inputTokens', 'AI SDK 5 to 7'],
    ['ai.usage.tokens', 'AI SDK 4 to 6, of embeddings'],
    ['llm.usage.prompt_tokens', 'OpenLLMetry before 0.4, MLflow, VoltAgent'],
    ['genkit:output.usage.inputTokens', 'Genkit'],
  ],
  completion_tokens: [
    ['gen_ai.usage.completion_tokens', 'OpenTelemetry before 1.27, OpenLLMetry, LiteLLM, Strands, AI SDK 4'],
    ['llm.token_count.completion', 'OpenInference'],
    ['ai.usage.completionTokens', 'AI SDK 4'],
    ['ai.usage.outputTokens', 'AI SDK 5 to 7'],
    ['llm.usage.completion_tokens', 'OpenLLMetry before 0.4, MLflow, VoltAgent'],
    ['genkit:output.usage.outputTokens', 'Genkit'],
  ],
  total_tokens: [
    ['llm.usage.total_tokens', 'OpenLLMetry, LiteLLM'],
    ['llm.token_count.total', 'OpenInference'],
    ['gen_ai.usage.total_tokens', 'OpenLLMetry, LiteLLM, Strands'],
    ['ai.usage.totalTokens', 'AI SDK 5 to 7'],
    ['genkit:output.usage.totalTokens', 'Genkit'],
  ],
  cache_creation_input_tokens: [
    ['gen_ai.usage.cache_creation.input_tokens', 'OpenTelemetry from 1.38, OpenLLMetry, pydantic-ai, LiteLLM, Strands, ADK, AI SDK 7'],
    ['gen_ai.usage.cache_creation_input_tokens', 'OpenLLMetry before 0.53'],
    ['llm.token_count.prompt_details.cache_write', 'OpenInference'],
    ['gen_ai.usage.cache_write.input_tokens', 'OpenTelemetry from 1.40, MLflow'],
    ['gen_ai.usage.cache_write_tokens', 'pydantic-ai 1'],
    ['gen_ai.usage.cache_write_input_tokens', 'Strands'],
    ['gen_ai.usage.details.cache_write_tokens', 'pydantic-ai'],
    ['gen_ai.usage.details.cache_creation_input_tokens', 'pydantic-ai, as Anthropic names it'],
    ['gen_ai.usage.input_cache_creation', 'Langfuse'],
    ['gen_ai.usage.input_tokens.cache_write', 'Sentry'],
    ['gen_ai.usage.prompt_tokens_details.cache_write_tokens', 'OpenRouter, as its usage names it'],
    ['gen_ai.usage.prompt_tokens_details.cache_creation_tokens', 'LiteLLM, as its usage names it'],
    ['ai.usage.inputTokenDetails.cacheWriteTokens', 'AI SDK 6 and 7'],
    ['ai.response.providerMetadata.anthropic.cacheCreationInputTokens', 'AI SDK 4 and 5, which tell it there alone'],
    ['ai.response.providerMetadata.bedrock.usage.cacheWriteInputTokens', 'AI SDK 4 and 5, which tell it there alone'],
    ['llm.usage.cache_creation_input_tokens', 'OpenLLMetry before 0.4'],
  ],
  cache_creation_1h_input_tokens: [
    ['gen_ai.usage.cache_creation.ephemeral_1h_input_tokens', 'Anthropic, as its usage names it'],
    ['gen_ai.usage.details.ephemeral_1h_input_tokens', 'pydantic-ai, as Anthropic names it'],
    ['ai.response.providerMetadata.anthropic.usage.cache_creation.ephemeral_1h_input_tokens', 'AI SDK from 5, as Anthropic names it'],
  ],
  cache_read_input_tokens: [
    ['gen_ai.usage.cache_read.input_tokens', 'OpenTelemetry from 1.38, OpenLLMetry, pydantic-ai, LiteLLM, Strands, ADK, AI SDK 7'],
    ['gen_ai.usage.prompt_tokens_details.cached_tokens', 'OpenAI chat, as its usage names it'],
    ['gen_ai.usage.input_tokens_details.cached_tokens', 'OpenAI responses, as its usage names it'],
    ['prompt_tokens_details.cached_tokens', 'OpenAI chat, as its usage names it'],
    ['gen_ai.usage.cache_read_input_tokens', 'OpenLLMetry before 0.53, Strands'],
    ['llm.token_count.prompt_details.cache_read', 'OpenInference'],
    ['llm.token_count.prompt_details.cache_input', 'OpenInference before 0.1.17'],
    ['ai.usage.cachedInputTokens', 'AI SDK 5 to 7'],
    ['gen_ai.usage.cached_input_tokens', 'instrumentations of Google models'],
    ['gen_ai.usage.cache_read_tokens', 'pydantic-ai 1'],
    ['gen_ai.usage.details.cache_read_tokens', 'pydantic-ai'],
    ['gen_ai.usage.details.cache_read_input_tokens', 'pydantic-ai, as Anthropic names it'],
    ['gen_ai.usage.details.cached_tokens', 'pydantic-ai, as OpenAI names it'],
    ['gen_ai.usage.details.cached_content_tokens', 'pydantic-ai, of Google models'],
    ['gen_ai.usage.input_cached_tokens', 'Langfuse'],
    ['gen_ai.usage.input_tokens.cached', 'Sentry'],
    ['ai.usage.inputTokenDetails.cacheReadTokens', 'AI SDK 6 and 7'],
    ['ai.response.providerMetadata.anthropic.cacheReadInputTokens', 'AI SDK 4, which tells it there alone'],
    ['ai.response.providerMetadata.bedrock.usage.cacheReadInputTokens', 'AI SDK 4, which tells it there alone'],
    ['ai.response.providerMetadata.openai.cachedPromptTokens', 'AI SDK 4, which tells it there alone'],
    ['llm.usage.cached_tokens', 'VoltAgent'],
    ['llm.usage.cache_read_input_tokens', 'OpenLLMetry before 0.4'],
    ['genkit:output.usage.cachedContentTokens', 'Genkit'],
  ],
  cache_read_input_audio_tokens: [
    ['gen_ai.usage.prompt_tokens_details.cached_tokens_details.audio_tokens', 'OpenAI, as its usage names it'],
    ['gen_ai.usage.input_tokens_details.cached_tokens_details.audio_tokens', 'OpenAI, as its usage names it'],
    ['gen_ai.usage.input_token_details.cached_tokens_details.audio_tokens', 'OpenAI realtime, as its usage names it'],
    ['gen_ai.usage.details.cache_audio_read_tokens', 'pydantic-ai'],
    ['gen_ai.usage.details.audio_cache_tokens', 'pydantic-ai, of Google models'],
  ],
  cache_read_input_image_tokens: [
    ['gen_ai.usage.prompt_tokens_details.cached_tokens_details.image_tokens', 'OpenAI, as its usage names it'],
    ['gen_ai.usage.input_tokens_details.cached_tokens_details.image_tokens', 'OpenAI, as its usage names it'],
    ['gen_ai.usage.input_token_details.cached_tokens_details.image_tokens', 'OpenAI realtime, as its usage names it'],
    ['gen_ai.usage.details.image_cache_tokens', 'pydantic-ai, of Google models'],
  ],
  reasoning_tokens: [
    ['gen_ai.usage.reasoning.output_tokens', 'OpenTelemetry from 1.40, ADK'],
    ['gen_ai.usage.reasoning_tokens', 'OpenLLMetry'],
    ['gen_ai.usage.output_tokens_details.reasoning_tokens', 'OpenAI responses, as its usage names it'],
    ['gen_ai.usage.completion_tokens_details.reasoning_tokens', 'OpenAI chat, as its usage names it'],
    ['gen_ai.usage.details.reasoning_tokens', 'pydantic-ai'],
    ['gen_ai.usage.details.thoughts_tokens', 'pydantic-ai, of Google models'],
    ['gen_ai.usage.output_tokens.reasoning', 'Sentry'],
    ['gen_ai.usage.output_reasoning_tokens', 'Langfuse'],
    ['llm.token_count.completion_details.reasoning', 'OpenInference'],
    ['ai.usage.reasoningTokens', 'AI SDK 5 to 7'],
    ['ai.usage.outputTokenDetails.reasoningTokens', 'AI SDK 6 and 7'],
    ['ai.response.providerMetadata.openai.reasoningTokens', 'AI SDK 4, which tells it there alone'],
    ['llm.usage.reasoning_tokens', 'OpenLLMetry'],
    ['codex.usage.reasoning_output_tokens', 'Codex'],
    ['genkit:output.usage.thoughtsTokens', 'Genkit'],
  ],
  input_audio_tokens: [
    ['gen_ai.usage.prompt_tokens_details.audio_tokens', 'OpenAI chat, as its usage names it'],
    ['gen_ai.usage.input_tokens_details.audio_tokens', 'OpenAI responses, as its usage names it'],
    ['gen_ai.usage.details.input_audio_tokens', 'pydantic-ai'],
    ['gen_ai.usage.details.audio_prompt_tokens', 'pydantic-ai, of Google models'],
    ['gen_ai.usage.input_audio_tokens', 'Langfuse'],
    ['llm.token_count.prompt_details.audio', 'OpenInference'],
  ],
  output_audio_tokens: [
    ['gen_ai.usage.completion_tokens_details.audio_tokens', 'OpenAI chat, as its usage names it'],
    ['gen_ai.usage.output_tokens_details.audio_tokens', 'OpenAI responses, as its usage names it'],
    ['gen_ai.usage.details.output_audio_tokens', 'pydantic-ai'],
    ['gen_ai.usage.details.audio_candidates_tokens', 'pydantic-ai, of Google models'],
    ['gen_ai.usage.output_audio_tokens', 'Langfuse'],
    ['llm.token_count.completion_details.audio', 'OpenInference'],
  ],
  input_image_tokens: [
    ['gen_ai.usage.input_tokens_details.image_tokens', 'OpenAI images, as its usage names it'],
    ['gen_ai.usage.prompt_tokens_details.image_tokens', 'LiteLLM, as its usage names it'],
    ['gen_ai.usage.details.image_prompt_tokens', 'pydantic-ai, of Google models'],
  ],
  output_image_tokens: [
    ['gen_ai.usage.output_tokens_details.image_tokens', 'OpenAI images, as its usage names it'],
    ['gen_ai.usage.completion_tokens_details.image_tokens', 'LiteLLM, as its usage names it'],
    ['gen_ai.usage.details.image_candidates_tokens', 'pydantic-ai, of Google models'],
  ],
} as const satisfies Record<string, readonly (readonly [name: string, source: string])[]>

export type TokenCount = keyof typeof usageNames

/** Counts inside one attribute, by their names there; dots lead into objects. */
export interface SeparateUsage {
  path: readonly string[]
  names: readonly (readonly [string, TokenCount])[]
}

/** Counts that do not include each other if they are sent without a total, so that the whole input is their sum. */
export const separateUsage: readonly SeparateUsage[] = [
  {
    // Langfuse's SDKs, its integration of LangChain, and what users give it of OpenAI's and Anthropic's usage.
    path: ['langfuse', 'observation', 'usage_details'],
    names: [
      ['input', 'input_tokens'],
      ['input_tokens', 'input_tokens'],
      ['output', 'output_tokens'],
      ['output_tokens', 'output_tokens'],
      ['prompt_tokens', 'prompt_tokens'],
      ['completion_tokens', 'completion_tokens'],
      ['total', 'total_tokens'],
      ['total_tokens', 'total_tokens'],
      ['cache_creation_input_tokens', 'cache_creation_input_tokens'],
      ['input_cache_creation', 'cache_creation_input_tokens'],
      ['input_ephemeral_1h_input_tokens', 'cache_creation_1h_input_tokens'],
      ['cache_read_input_tokens', 'cache_read_input_tokens'],
      ['input_cached_tokens', 'cache_read_input_tokens'],
      ['input_cache_read', 'cache_read_input_tokens'],
      ['output_reasoning_tokens', 'reasoning_tokens'],
      ['output_reasoning', 'reasoning_tokens'],
      ['input_audio_tokens', 'input_audio_tokens'],
      ['input_audio', 'input_audio_tokens'],
      ['output_audio_tokens', 'output_audio_tokens'],
      ['output_audio', 'output_audio_tokens'],
      ['prompt_tokens_details.cached_tokens', 'cache_read_input_tokens'],
      ['input_tokens_details.cached_tokens', 'cache_read_input_tokens'],
      ['completion_tokens_details.reasoning_tokens', 'reasoning_tokens'],
      ['output_tokens_details.reasoning_tokens', 'reasoning_tokens'],
    ],
  },
  {
    // MLflow: its constant TokenUsageKey.
    path: ['mlflow', 'chat', 'tokenUsage'],
    names: [
      ['input_tokens', 'input_tokens'],
      ['output_tokens', 'output_tokens'],
      ['total_tokens', 'total_tokens'],
      ['cache_creation_input_tokens', 'cache_creation_input_tokens'],
      ['cache_creation_input_tokens_above_1hr', 'cache_creation_1h_input_tokens'],
      ['cache_read_input_tokens', 'cache_read_input_tokens'],
    ],
  },
  {
    // Claude Code.
    path: [],
    names: [
      ['input_tokens', 'input_tokens'],
      ['output_tokens', 'output_tokens'],
      ['cache_creation_tokens', 'cache_creation_input_tokens'],
      ['cache_read_tokens', 'cache_read_input_tokens'],
    ],
  },
]

/** Where the AI SDK shows the input as its provider counts it: without cached tokens. Equal to the SDK's own count in versions 4 and 5. */
export const providersOwnInput = ['ai', 'response', 'providerMetadata', 'anthropic', 'usage', 'input_tokens'] as const

/** Names under which spans carry what their call cost, in the currency of their sender, which is the US dollar for all of these; the first that is there wins. */
export const costNames = [
  ['gen_ai.usage.cost', 'Langfuse, LiteLLM, OpenLIT'],
  ['llm.cost.total', 'OpenInference, LiteLLM'],
  ['operation.cost', 'pydantic-ai'],
  ['gen_ai.cost.total_cost', 'LiteLLM'],
  ['langfuse.observation.cost_details.total', 'Langfuse'],
  ['mlflow.llm.cost.total_cost', 'MLflow'],
  ['ai.response.providerMetadata.openrouter.usage.cost', 'OpenRouter with the AI SDK'],
  ['cost_usd', 'Claude Code'],
] as const satisfies readonly (readonly [name: string, source: string])[]
