import type { RefObject } from 'react'
import { FilterInput } from './filter-input.tsx'
import type { FilterProblem } from './read-tokens.ts'

interface Properties {
  project: string
  input: RefObject<HTMLInputElement | null>
  text: string
  /** Fields that are suggested in addition to the usual ones. */
  paths: readonly string[]
  problem: FilterProblem | undefined
  onText: (text: string) => void
}

/** A separate filter field, with suggestions at the cursor. */
export function FilterField(properties: Properties) {
  return (
    <div className="field relative flex min-h-8 items-center px-2.5">
      <FilterInput {...properties} placeholder='op_name = "answer"' />
    </div>
  )
}

/** The problem of a filter, with its position. */
export function FilterProblemText({ problem }: { problem: FilterProblem | undefined }) {
  if (problem === undefined) return null
  return (
    <p id="filter-problem" role="alert" className="mt-1 text-xs text-red-text">
      {problem.message}, at character {problem.at + 1}
    </p>
  )
}
