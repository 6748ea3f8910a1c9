import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { maxPrices, pricesQuery } from './settings-queries.ts'

type Price = Awaited<ReturnType<typeof client.costs.query>>['results'][number]

/** What tokens of models cost in this project. */
export function Prices() {
  const { id } = useProject()
  const query = useQuery(pricesQuery(client, id))
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">Prices of models</h2>
      <p className="muted">Prices of the project win over the built-in ones. A price applies from its date on.</p>
      <ShowQuery query={query} what="prices">
        {({ prices, hasMore }) => (
          <>
            {prices.length === 0 ? <p>The project has no prices of its own.</p> : <PriceTable prices={prices} />}
            {hasMore && <p className="notice">The newest {maxPrices} prices are shown; there are more.</p>}
          </>
        )}
      </ShowQuery>
    </section>
  )
}

/** The price of a million tokens: the price of one has too many zeros to read. */
const perMillion = (cost: number | null) => (cost === null ? '' : (cost * 1e6).toLocaleString('en', { maximumFractionDigits: 6 }))

function PriceTable({ prices }: { prices: readonly Price[] }) {
  const { id } = useProject()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn(price: string) {
      const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: price }] } }
      return client.costs.purge({ project_id: id, query } as Parameters<typeof client.costs.purge>[0])
    },
    onSuccess: () => readAgain(queries, ['prices', id]),
  })
  function ask({ id: price, llm_id }: Price) {
    if (price !== null && window.confirm(`Remove the price of ${llm_id ?? ''}? Costs are computed without it from then on.`))
      remove.mutate(price)
  }
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Prices">
      <table className="whole-words">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" className="number">
              Prompt, a million tokens
            </th>
            <th scope="col" className="number">
              Completion, a million tokens
            </th>
            <th scope="col">Unit</th>
            <th scope="col">From</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => (
            <tr key={price.id}>
              <td>{price.llm_id}</td>
              <td className="number">{perMillion(price.prompt_token_cost)}</td>
              <td className="number">{perMillion(price.completion_token_cost)}</td>
              <td>{price.prompt_token_cost_unit}</td>
              <td>{price.effective_date !== null && <Time value={price.effective_date} />}</td>
              <td>
                <button
                  type="button"
                  aria-label={`Remove the price of ${price.llm_id ?? ''}`}
                  disabled={remove.isPending}
                  onClick={() => ask(price)}
                >
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Failure error={remove.error} />
    </div>
  )
}
