/** A name under which a model may have a price. */
export interface PriceName {
  name: string
  /** Providers whose prices hold for it; undefined: any. Prices that users made hold whatever their provider. */
  providers: readonly string[] | undefined
}

/**
 * Prefixes of gateways and providers, with the providers whose models may follow: prices of the same weights at another host are unknown. A prefix
 * may follow another (`openrouter/anthropic/…`). `bedrock/` and similar prefixes are from LiteLLM, `provider:` from pydantic-ai, `models/` from
 * Google.
 */
const prefixes: readonly (readonly [prefix: string, providers: readonly string[] | undefined])[] = [
  ...['openrouter/', 'litellm/', 'litellm_proxy/', 'litellm:', 'openrouter:', 'gateway:', 'gateway/'].map(
    (prefix) => [prefix, undefined] as const,
  ),
  ...['openai/', 'openai:', 'openai-chat:', 'openai-responses:', 'responses/', 'azure/', 'azure:', 'azure_ai/', 'azure/responses/'].map(
    (prefix) => [prefix, ['openai']] as const,
  ),
  ...['anthropic/', 'anthropic:'].map((prefix) => [prefix, ['anthropic']] as const),
  ...['bedrock/', 'bedrock:', 'bedrock_converse/', 'bedrock/converse/', 'converse/', 'invoke/'].map(
    (prefix) => [prefix, ['amazon', 'anthropic']] as const,
  ),
  ...['vertex_ai/', 'vertex_ai_beta/', 'vertex/', 'google-vertex:', 'google-cloud:'].map(
    (prefix) => [prefix, ['google', 'anthropic']] as const,
  ),
  ...['gemini/', 'google/', 'google:', 'google-gla:', 'googleai/', 'google_genai:', 'models/', 'publishers/google/models/'].map(
    (prefix) => [prefix, ['google']] as const,
  ),
  ['publishers/anthropic/models/', ['anthropic']],
  ...['mistral/', 'mistralai/', 'mistral:'].map((prefix) => [prefix, ['mistral']] as const),
  ...['xai/', 'x-ai/', 'xai:', 'grok:'].map((prefix) => [prefix, ['xai']] as const),
  ...['deepseek/', 'deepseek:'].map((prefix) => [prefix, ['deepseek']] as const),
  ...['cohere/', 'cohere:', 'cohere_chat/'].map((prefix) => [prefix, ['cohere']] as const),
  ...['amazon/'].map((prefix) => [prefix, ['amazon']] as const),
]

/** Regions of inference profiles, and the maker that Bedrock names before a model. */
const region = /^(us|us-gov|eu|apac|ap|au|jp|ca|sa|global)\.(?=[a-z0-9]+\.)/
const bedrockArn = /^arn:aws[a-z-]*:bedrock:[a-z0-9-]*:\d*:(?:foundation-model|inference-profile)\//
const vertexPath = /^projects\/[^/]+\/locations\/[^/]+\/(?=publishers\/)/
/** LiteLLM writes the region of Bedrock, Vertex and Azure between prefix and model. */
const regionFolder = /^(?:[a-z]{2}(?:-[a-z]+)+-?\d|us|eu|global|global-standard)\/(?=[^/]+$)/
const anthropicOnBedrock = /^anthropic\.(?=claude)/
const bedrockVersion = /-v\d+(?::\d+)?$/
const date = /[-@](?:20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))$/
/** Words for the newest version. Other words (`-preview`, `-mini`, `-thinking`) are part of a model's name. */
const newest = /[-@](?:latest|default)$/
/** A fine-tuned model costs more than its base: only a price of fine-tuned models of that base holds for it. */
const fineTuned = /^(ft:[^:]+):.+$/

/**
 * Names under which to look up the price of a model, the most exact first; the first with a price decides. Each name is the previous one without one
 * part whose meaning is known: a prefix of a gateway or provider, a region, a version of a host, a date. Nothing else is removed and nothing is
 * added, so no name leads to another model: `gpt-4o-mini` never to `gpt-4o`, `gpt-4o-2024-05-13` to `gpt-4o` only if it has no price itself.
 */
export function priceNames(model: string): PriceName[] {
  const found: PriceName[] = [{ name: model, providers: undefined }]
  if (model.length > longestName) return found
  let [name, providers]: [string, readonly string[] | undefined] = [model, undefined]
  const add = (next: string) => {
    if (next === name || next === '') return
    name = next
    found.push({ name, providers })
  }
  for (let cut = cutPrefix(name); cut !== undefined; cut = cutPrefix(name)) {
    if (cut.providers !== undefined) providers = cut.providers
    add(cut.name)
  }
  if (name.startsWith('ft:')) {
    add(name.replace(fineTuned, '$1'))
    return found
  }
  for (const part of [regionFolder, region, anthropicOnBedrock, bedrockVersion, date, newest]) add(name.replace(part, ''))
  add(withDashes(name))
  return found
}

/** Longer names are not model names, and each is looked up in several forms. */
const longestName = 512

function cutPrefix(name: string): PriceName | undefined {
  if (bedrockArn.test(name)) return { name: name.replace(bedrockArn, ''), providers: ['amazon', 'anthropic'] }
  if (vertexPath.test(name)) return { name: name.replace(vertexPath, ''), providers: ['google', 'anthropic'] }
  const known = prefixes.find(([prefix]) => name.startsWith(prefix) && name.length > prefix.length)
  return known && { name: name.slice(known[0].length), providers: known[1] }
}

/** Gateways write the version of a Claude model with a dot, its maker with a dash. */
function withDashes(name: string): string {
  return name.startsWith('claude-') ? name.replace(/(?<=\d)\.(?=\d)/g, '-') : name
}
