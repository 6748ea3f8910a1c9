import type { Platform } from '../../platform.ts'
import { type CompletionsDeps, completionsHandlers } from './completions-handlers.ts'

/** Chat completions of prompts that no template wrote. */
export function createCompletions({ clock, newId }: Platform, on: Omit<CompletionsDeps, 'clock' | 'newId'>) {
  return { handlers: completionsHandlers({ ...on, clock, newId }) }
}
