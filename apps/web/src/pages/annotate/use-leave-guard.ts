import { useBlocker } from '@tanstack/react-router'
import { useConfirm } from '../../ui/confirm/confirm.tsx'
import { commitTyped } from './field-focus.ts'
import type { Answers } from './use-answers.ts'

/** Saves typed input before the item is left, and lets the user decide if it cannot be saved. */
export function useLeaveGuard({ saver, firstRefused }: Answers): void {
  const confirm = useConfirm()
  useBlocker({
    async shouldBlockFn() {
      commitTyped()
      const isSaved = await saver.settle()
      if (isSaved && firstRefused() === undefined) return false
      return !(await confirm({ text: 'Some answers are not saved. Leave them?', confirm: 'Leave', cancel: 'Stay' }))
    },
    enableBeforeUnload() {
      commitTyped()
      return !saver.isSaved() || firstRefused() !== undefined
    },
  })
}
