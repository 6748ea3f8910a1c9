import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'

const isPrice = (text: string) => text.trim() !== '' && Number.isFinite(Number(text)) && Number(text) >= 0

/** Adds the price of a model, from now on. */
export function AddPrice() {
  const { id } = useProject()
  const queries = useQueryClient()
  const [model, setModel] = useState('')
  const [prompt, setPrompt] = useState('')
  const [completion, setCompletion] = useState('')
  const add = useMutation({
    mutationFn() {
      const price = { prompt_token_cost: Number(prompt) / 1e6, completion_token_cost: Number(completion) / 1e6 }
      return client.costs.create({ project_id: id, costs: { [model.trim()]: price } })
    },
    onSuccess: () => readAgain(queries, ['prices', id]),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <label htmlFor="price-model">Model, as in the usage of calls</label>
      <input id="price-model" value={model} onChange={({ target }) => setModel(target.value)} />
      <label htmlFor="price-prompt">US dollars for a million prompt tokens</label>
      <input id="price-prompt" inputMode="decimal" value={prompt} onChange={({ target }) => setPrompt(target.value)} />
      <label htmlFor="price-completion">US dollars for a million completion tokens</label>
      <input id="price-completion" inputMode="decimal" value={completion} onChange={({ target }) => setCompletion(target.value)} />
      <button type="submit" disabled={model.trim() === '' || !isPrice(prompt) || !isPrice(completion) || add.isPending}>
        Add price
      </button>
      <Failure error={add.error} />
    </form>
  )
}
