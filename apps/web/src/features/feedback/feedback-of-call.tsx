import { useEffect } from 'react'
import { FeedbackAbout } from './feedback-about.tsx'

interface Properties {
  /** URI of the call. */
  about: string
  /** True until the field of a note has the focus. */
  isNoting: boolean
  onNoting: () => void
}

/** Scores and notes of a call. */
export const FeedbackOfCall = ({ about, isNoting, onNoting }: Properties) => (
  <div className="p-4">
    {isNoting && <FocusOnNote onDone={onNoting} />}
    <FeedbackAbout about={about} />
  </div>
)

/** Leads to the field of a note, once it is drawn. */
function FocusOnNote({ onDone }: { onDone: () => void }) {
  useEffect(() => {
    document.querySelector<HTMLTextAreaElement>('[aria-label="Notes"] textarea')?.focus()
    onDone()
  }, [onDone])
  return null
}
