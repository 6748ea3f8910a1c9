/** A chat message: context, which is not trained on. Further keys are kept for the template. */
export interface ChatMessage {
  role: string
  content?: MessageContent
  tool_calls?: readonly unknown[] | null | undefined
  [key: string]: unknown
}

export type MessageContent = string | readonly { type?: unknown; text?: unknown }[] | null | undefined

/** One sampled token. */
export interface TokenLogProbability {
  /** `token_id:<int>`, or the text of the token. */
  token: string
  /** In nats. */
  logprob: number
}

/** A choice of a chat completion as returned, sampled by the policy. */
export interface ChatChoice {
  message: {
    content?: MessageContent
    tool_calls?: readonly unknown[] | null | undefined
    /** An older form of one call. */
    function_call?: unknown
    refusal?: unknown
  }
  logprobs?:
    | {
        content?: readonly TokenLogProbability[] | null | undefined
        refusal?: readonly TokenLogProbability[] | null | undefined
      }
    | null
    | undefined
  /** The sampled tokens. */
  token_ids?: readonly number[] | null | undefined
  /** The tokens before them. */
  prompt_token_ids?: readonly number[] | null | undefined
}

export type MessageOrChoice = ChatMessage | ChatChoice

/** A conversation of a rollout. */
export interface History {
  messages_and_choices: readonly MessageOrChoice[]
  tools?: readonly unknown[] | null | undefined
}

/** One rollout with its reward, as it was sent and after its shape was checked. Numbers are numbers, and null means absent. */
export interface Trajectory {
  messages_and_choices?: readonly MessageOrChoice[] | null | undefined
  tools?: readonly unknown[] | null | undefined
  additional_histories?: readonly History[] | null | undefined
  /** 0 when absent. */
  reward?: number | null | undefined
  /** Newest step of the model when the rollout began. */
  initial_policy_version?: number | null | undefined
  /** Requests and responses as recorded, instead of the histories. */
  exchanges?: unknown
}

/** Attempts at the same task; rewards are compared within it. */
export interface TrajectoryGroup {
  trajectories: readonly Trajectory[]
}

/** An element with a `message` is a choice, every other a message. */
export function isChoice(element: MessageOrChoice): element is ChatChoice {
  return typeof element['message' as keyof MessageOrChoice] === 'object' && element['message' as keyof MessageOrChoice] !== null
}
