import { type FormEvent, useState } from 'react'
import type { FeedbackSearch } from './feedback-search.ts'
import type { FeedbackRow } from './to-feedback-row.ts'

const usualTypes = ['wandb.reaction.1', 'wandb.note.1', 'wandb.agent_user_feedback']

interface Properties {
  search: FeedbackSearch
  /** What was read so far: its types and authors are offered. */
  rows: readonly FeedbackRow[]
  onChange: (search: FeedbackSearch) => void
}

/** Chooses feedback of one type, by one author, or notes that mention the person who looks. */
export function ChooseFeedback({ search, rows, onChange }: Properties) {
  const [type, setType] = useState(search.type ?? '')
  const [author, setAuthor] = useState(search.author ?? '')
  const types = [...new Set([...usualTypes, ...rows.map((row) => row.type)])]
  const authors = [...new Set(rows.map((row) => row.author))]

  function choose(event: FormEvent) {
    event.preventDefault()
    onChange({ ...search, type: type.trim() || undefined, author: author.trim() || undefined })
  }

  return (
    <form className="row" onSubmit={choose}>
      <label htmlFor="feedback-type">Type</label>
      <input id="feedback-type" list="feedback-types" placeholder="all" value={type} onChange={({ target }) => setType(target.value)} />
      <datalist id="feedback-types">
        {types.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <label htmlFor="feedback-author">Author</label>
      <input
        id="feedback-author"
        list="feedback-authors"
        placeholder="all"
        value={author}
        onChange={({ target }) => setAuthor(target.value)}
      />
      <datalist id="feedback-authors">
        {authors.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <label>
        <input
          type="checkbox"
          checked={search.mentions === 'me'}
          onChange={({ target }) => onChange({ ...search, mentions: target.checked ? 'me' : undefined })}
        />{' '}
        Mentions me
      </label>
      <button type="submit">Choose</button>
      {[search.type, search.author, search.mentions].some((chosen) => chosen !== undefined) && (
        <button type="button" onClick={() => onChange({ range: search.range })}>
          All feedback
        </button>
      )}
    </form>
  )
}
