import { CopyButton } from './copy-button.tsx'
import { LongText } from './long-text.tsx'

/** A text that is there to be copied. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <>
      <LongText label={label} text={text} />
      <p className="row">
        <CopyButton title={`Copy ${label}`} text={() => text} />
      </p>
    </>
  )
}
