import type { ProjectLimits } from '@heddle/core-api/types'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { keysQuery } from './keys-queries.ts'
import { changesOf, type LimitName, limitNames, limitTexts } from './limit-texts.ts'
import { SettingsForm } from './settings-form.tsx'
import { limitsQuery } from './settings-queries.ts'
import { isForbidden } from '../../lib/server/is-forbidden.ts'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { textColumn } from '../../ui/table/column-kinds.tsx'

/** Limits of the project, their usage, and a form for its administrators. */
export function Quotas() {
  const { id } = useProject()
  const query = useQuery(limitsQuery(client, id))
  const keys = useInfiniteQuery(keysQuery(id))
  return (
    <>
      <ShowQuery query={query} what="the quotas of the project">
        {(limits) => (
          <>
            <QuotaTable limits={limits} />
            {isForbidden(keys.error) ? (
              <Notice title="Only keys with the role admin in this project may change its quotas" />
            ) : (
              <QuotaForm key={limitNames.map((name) => limits[name].own_limit).join(' ')} limits={limits} />
            )}
          </>
        )}
      </ShowQuery>
      <p className="max-w-190 text-xs text-fg-3">
        Up to 5% of a request quota may come at once. Requests over it are refused until there is room; our clients retry. Over the write
        quota, reading and deleting still work.
      </p>
    </>
  )
}

const quotaTitles = { limit: 'At most', used: 'Used', left: 'Left now', server_limit: 'Server' } as const

const quotaColumns: ListColumn<{ name: LimitName; limits: ProjectLimits }>[] = [
  textColumn('quota', 'Quota', 'auto', ({ name }) => limitTexts[name].title, { namesRow: true }),
  ...(['limit', 'used', 'left', 'server_limit'] as const).map((of): ListColumn<{ name: LimitName; limits: ProjectLimits }> => ({
    id: of,
    title: quotaTitles[of],
    width: '96px',
    align: 'right',
    cell: ({ name, limits }) => {
      const value = limits[name][of]
      return value === null ? (of === 'limit' ? 'No limit' : undefined) : limitTexts[name].show(value)
    },
  })),
]

const QuotaTable = ({ limits }: { limits: ProjectLimits }) => (
  <ListTable
    label="Quotas"
    framed
    rows={limitNames.map((name) => ({ name, limits }))}
    rowId={({ name }) => name}
    columns={quotaColumns}
    minWidth={620}
  />
)

function QuotaForm({ limits }: { limits: ProjectLimits }) {
  const { id } = useProject()
  const queries = useQueryClient()
  const [texts, setTexts] = useState(() => textsOf(limits))
  const changes = changesOf(texts, limits)
  const save = useMutation({
    mutationFn: () => client.projects.updateLimits({ project_id: id, ...changes }),
    onSuccess: () => readAgain(queries, limitsQuery(client, id).queryKey),
  })
  return (
    <SettingsForm
      title="Change quotas"
      columns={3}
      sending={save}
      action="Save quotas"
      isReady={changes !== undefined && Object.keys(changes).length > 0}
    >
      {limitNames.map((name) => (
        <LimitField key={name} name={name} text={texts[name]} onChange={(text) => setTexts({ ...texts, [name]: text })} />
      ))}
    </SettingsForm>
  )
}

function LimitField({ name, text, onChange }: { name: LimitName; text: string; onChange: (text: string) => void }) {
  const { label, unit, read, rule } = limitTexts[name]
  const isValid = read(text) !== undefined
  return (
    <TextField
      label={label}
      {...(!isValid && { error: `It must be ${rule}, got "${text.slice(0, 20)}".` })}
      inputMode="decimal"
      autoComplete="off"
      placeholder="No limit"
      {...(unit !== undefined && { unit })}
      value={text}
      onChange={onChange}
    />
  )
}

function textsOf(limits: ProjectLimits): Record<LimitName, string> {
  const write = (name: LimitName) => limitTexts[name].write(limits[name].own_limit)
  return Object.fromEntries(limitNames.map((name) => [name, write(name)])) as Record<LimitName, string>
}
