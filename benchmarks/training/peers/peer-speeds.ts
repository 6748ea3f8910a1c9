/** Tokens a second of another program with the same models on the same CPU. */
export interface PeerSpeeds {
  preset: string
  threads: number
  /** Absent where it only samples. */
  trainAll?: number
  trainAdapter?: number
  sample1: number
  sample16: number
  /** The likeliest tokens after the prompt 1 to 8, where it samples the very same weights. */
  greedy?: number[]
}
