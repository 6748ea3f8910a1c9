import type { StartCandidate } from './candidate.ts'

/** Each is loaded only by the program that measures it. */
export const candidates = {
  'sdk alone': () => import('./sdk-alone.ts'),
  heddle: () => import('./heddle.ts'),
  'heddle, gzip': () => import('./heddle-gzip.ts'),
  'heddle, register': () => import('./heddle-register.ts'),
  'stock protobuf': () => import('./stock-proto.ts'),
  'stock JSON': () => import('./stock-json.ts'),
  langfuse: () => import('./langfuse.ts'),
  phoenix: () => import('./phoenix.ts'),
} satisfies Record<string, () => Promise<{ start: StartCandidate }>>

export type CandidateName = keyof typeof candidates
