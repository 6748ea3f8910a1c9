import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { ConfirmDialog } from '../dialog.tsx'
import { titleOfQuestion } from './title-of-question.ts'

/** A question to the user before an action that cannot be undone, or that loses unsaved changes. */
export interface Question {
  /** A question, and its consequences. Its marks of writing direction are isolated. */
  text: string
  /** Label of the confirming button, such as `Revoke`. */
  confirm: string
  /** Label of the other button. Default `Cancel`. */
  cancel?: string
}

type Ask = (question: Question) => Promise<boolean>

const AskContext = createContext<Ask | undefined>(undefined)

/** Asks in a dialog of the page. True once it is confirmed; false if it is cancelled, closed or replaced by another question. */
export function useConfirm(): Ask {
  const ask = useContext(AskContext)
  if (!ask) throw new Error('useConfirm needs a ConfirmProvider above it')
  return ask
}

/** Shows the questions of components below it, one at a time. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ question: Question; isOpen: boolean }>()
  const answer = useRef<(isConfirmed: boolean) => void>(undefined)
  const ask = useCallback<Ask>((question) => {
    answer.current?.(false)
    setShown({ question, isOpen: true })
    return new Promise((resolve) => (answer.current = resolve))
  }, [])
  const settle = (isConfirmed: boolean) => {
    const settled = answer.current
    answer.current = undefined
    // Its text is kept during the closing transition.
    setShown((before) => before && { ...before, isOpen: false })
    settled?.(isConfirmed)
  }
  return (
    <AskContext value={ask}>
      {children}
      {shown && <QuestionDialog {...shown} onAnswer={settle} />}
    </AskContext>
  )
}

interface QuestionProperties {
  question: Question
  isOpen: boolean
  onAnswer: (isConfirmed: boolean) => void
}

function QuestionDialog({ question: { text, confirm, cancel }, isOpen, onAnswer }: QuestionProperties) {
  const { title, rest } = titleOfQuestion(text)
  return (
    <ConfirmDialog
      open={isOpen}
      onClose={() => onAnswer(false)}
      onConfirm={() => onAnswer(true)}
      title={title}
      action={confirm}
      cancel={cancel}
      danger
      description={rest === '' ? undefined : <bdi>{rest}</bdi>}
    />
  )
}
