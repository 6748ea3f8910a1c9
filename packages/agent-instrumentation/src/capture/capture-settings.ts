/** How model calls are recorded. */
export interface CaptureSettings {
  fetch: typeof fetch
  /** The one of a client that is wrapped; where the program gave `fetch` itself, that one. */
  fetchOf(client: object): typeof fetch
  /** Whether a model is being trained: its choices are sampled by the policy; those of other models are context. */
  isPolicy(model: string | undefined): boolean
  /** Requests log-probabilities if the program did not decide: choices without them are not trained on. */
  requestLogprobs: boolean
  /** Writes messages and choices on the spans of model calls. */
  captureContent: boolean
  /** Address of the training service, which provides token ids. */
  baseUrl: string | undefined
}

export function isHeddleUrl({ baseUrl }: Pick<CaptureSettings, 'baseUrl'>, url: string): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false
  return new URL(url).origin === new URL(baseUrl).origin
}
