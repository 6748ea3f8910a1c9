import { toast } from '../toast.tsx'

interface Undoable {
  /** What was done, such as `View removed`. */
  title: string
  /** To what. */
  text?: string
  undo: () => Promise<unknown>
  /** What is said, with the reason, where it cannot be undone. */
  problem: string
}

/** Confirms an action, and offers to undo it. */
export function toastUndo({ title, text, undo, problem }: Undoable): void {
  const fail = (error: unknown) => toast({ tone: 'error', title: problem, error })
  toast({ title, ...(text !== undefined && { text }), action: { label: 'Undo', run: () => void undo().catch(fail) } })
}
