import { isApiError, type ProjectLimits } from '@heddle/core-api'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { keysQuery } from './keys-queries.ts'
import { changesOf, type LimitName, limitNames, limitTexts } from './limit-texts.ts'
import { limitsQuery } from './settings-queries.ts'

/** What the project may do in a time, what is used of it, and a form for its administrators. */
export function Quotas() {
  const { id } = useProject()
  const query = useQuery(limitsQuery(client, id))
  const keys = useInfiniteQuery(keysQuery(id))
  const isForbidden = isApiError(keys.error) && keys.error.status === 403
  return (
    <>
      <ShowQuery query={query} what="the quotas of the project">
        {(limits) => (
          <>
            <QuotaTable limits={limits} />
            <p>
              <button type="button" disabled={query.isFetching} onClick={() => void query.refetch()}>
                Refresh the quotas
              </button>
            </p>
            {isForbidden ? (
              <p>Only keys with the role admin in this project may change its quotas.</p>
            ) : (
              <QuotaForm key={limitNames.map((name) => limits[name].own_limit).join(' ')} limits={limits} />
            )}
          </>
        )}
      </ShowQuery>
      <p className="muted">
        Of requests, 5 % of the quota may come at once and the others evenly. Requests beyond a quota are refused until it has room again,
        and programs that use our clients send them again; beyond that of writes, reading and deleting still work. Without quotas, the
        retention above and the limits of the server bound what the project stores.
      </p>
    </>
  )
}

function QuotaTable({ limits }: { limits: ProjectLimits }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Quotas">
      <table>
        <thead>
          <tr>
            <th scope="col">Quota</th>
            {['At most', 'Used', 'Left now', 'Server'].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {limitNames.map((name) => {
            const { limit, used, left, server_limit } = limits[name]
            const { title, show } = limitTexts[name]
            const text = (value: number | null) => (value === null ? '–' : show(value))
            return (
              <tr key={name}>
                <th scope="row">{title}</th>
                <td className="number">{limit === null ? 'no limit' : show(limit)}</td>
                <td className="number">{text(used)}</td>
                <td className="number">{text(left)}</td>
                <td className="number">{text(server_limit)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function QuotaForm({ limits }: { limits: ProjectLimits }) {
  const { id } = useProject()
  const queries = useQueryClient()
  const [texts, setTexts] = useState(() => textsOf(limits))
  const changes = changesOf(texts, limits)
  const save = useMutation({
    mutationFn: () => client.projects.updateLimits({ project_id: id, ...changes }),
    onSuccess: () => readAgain(queries, ['limits', id]),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {limitNames.map((name) => (
        <LimitField key={name} name={name} text={texts[name]} onChange={(text) => setTexts({ ...texts, [name]: text })} />
      ))}
      <button type="submit" disabled={changes === undefined || Object.keys(changes).length === 0 || save.isPending}>
        Save quotas
      </button>
      <Failure error={save.error} />
    </form>
  )
}

function LimitField({ name, text, onChange }: { name: LimitName; text: string; onChange: (text: string) => void }) {
  const { label, read, rule } = limitTexts[name]
  const isValid = read(text) !== undefined
  const field = `quota-${name}`
  return (
    <>
      <label htmlFor={field}>{label}</label>
      <input
        id={field}
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={!isValid}
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
      {!isValid && (
        <p className="problem">
          It must be {rule}, got "{text.slice(0, 20)}".
        </p>
      )}
    </>
  )
}

function textsOf(limits: ProjectLimits): Record<LimitName, string> {
  const write = (name: LimitName) => limitTexts[name].write(limits[name].own_limit)
  return Object.fromEntries(limitNames.map((name) => [name, write(name)])) as Record<LimitName, string>
}
