import { Pieces } from '../../features/playground/pieces.tsx'
import { piecesOfDraft } from '../../features/playground/draft/variables.ts'

interface Properties {
  label: string
  placeholder: string | undefined
  value: string
  /** Whether `{{name}}` in the text is a variable. */
  hasVariables: boolean
  onChange: (text: string) => void
}

/** More would make typing slow. */
const maxMarked = 20_000
/** The text and what is behind it break their lines alike. */
const look = 'col-start-1 row-start-1 px-2.5 py-1.5 whitespace-pre-wrap wrap-anywhere'

/** The text of a message, as high as its lines up to a height that can be changed, with its variables marked. */
export function MessageText({ label, placeholder, value, hasVariables, onChange }: Properties) {
  const pieces = hasVariables && value.length <= maxMarked ? piecesOfDraft(value) : [{ text: value, isVariable: false }]
  return (
    <div className="field grid max-h-70 min-h-20 resize-y overflow-auto">
      <div aria-hidden className={`${look} text-transparent select-none`}>
        <Pieces pieces={pieces} marksOnly />
        {/* A last line that is empty has its height, too. */}
        {'\n'}
      </div>
      <textarea
        aria-label={label}
        placeholder={placeholder}
        className={`${look} z-1 resize-none overflow-hidden bg-transparent`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}
