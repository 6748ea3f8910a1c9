/** Tokens a second of another program with the same models on the same CPU. */
export interface PeerSpeeds {
  preset: string
  threads: number
  /** Absent where it only samples. */
  trainAll?: number
  trainAdapter?: number
  /** Speed of reading a long prompt, up to the first token after it. */
  read: number
  sample1: number
  /** Of completions that are sampled together. */
  sampleMany: number
  /** The likeliest tokens after the prompt 1 to 8, where it samples the very same weights. */
  greedy?: number[]
}
