import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { equals } from '@heddle/trace-model/query'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Time } from '../../ui/time/time.tsx'
import { furtherPrices, mainPrices, type PriceName, tierText } from './price-form.ts'
import { maxPrices, pricesQuery } from './settings-queries.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { toastUndo } from '../../ui/states/undo-toast.ts'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SettingsSection } from './settings-section.tsx'
import { AddPrice } from './add-price.tsx'
import { numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'

type Price = Awaited<ReturnType<typeof client.costs.query>>['results'][number]

/** What tokens of models cost in this project. */
export function Prices() {
  const { id } = useProject()
  const query = useQuery(pricesQuery(client, id))
  return (
    <SettingsSection title="Model prices" text="Project prices override built-in ones from their start date.">
      <ShowQuery query={query} what="prices">
        {({ prices, hasMore }) => (
          <>
            <PriceTable prices={prices} />
            {hasMore && <Notice className="mt-3" title={`The newest ${maxPrices} prices are shown; there are more.`} />}
          </>
        )}
      </ShowQuery>
      <AddPrice />
    </SettingsSection>
  )
}

/** The price of a million tokens: the price of one has too many zeros to read. */
const perMillion = (cost: number | null) => (cost === null ? '' : (cost * 1e6).toLocaleString('en', { maximumFractionDigits: 6 }))

function PriceTable({ prices }: { prices: readonly Price[] }) {
  const { id } = useProject()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn({ id: price }: Price) {
      const query = { $expr: equals('id', price ?? '') }
      return client.costs.purge({ project_id: id, query } as Parameters<typeof client.costs.purge>[0])
    },
    async onSuccess(_, removed) {
      toastUndo({
        title: 'Price removed',
        text: `Costs of ${readableName(removed.llm_id ?? '')} are computed without it.`,
        undo: () => restorePrice(id, removed).then(() => readAgain(queries, pricesQuery(client, id).queryKey)),
        problem: 'The price was not restored',
      })
      await readAgain(queries, pricesQuery(client, id).queryKey)
    },
  })
  const menu = (price: Price) => (
    <RowMenu of={`the price of ${readableName(price.llm_id ?? '')}`} disabled={remove.isPending}>
      <MenuItem danger icon={Trash2} onClick={() => remove.mutate(price)}>
        Remove
      </MenuItem>
    </RowMenu>
  )
  return (
    <>
      <ListTable
        label="Prices"
        framed
        empty="This project has no prices yet."
        rows={prices}
        rowId={({ id: price }) => price ?? ''}
        columns={columns}
        actions={menu}
        minWidth={760}
      />
      <Failure error={remove.error} />
    </>
  )
}

const columns: ListColumn<Price>[] = [
  {
    id: 'model',
    title: 'Model',
    wraps: true,
    cell: (price) => (
      <>
        {price.llm_id}
        <FurtherPrices price={price} />
      </>
    ),
  },
  numberColumn('prompt', 'Prompt, a million', '136px', (price) => price.prompt_token_cost, { show: perMillion }),
  numberColumn('completion', 'Completion, a million', '160px', (price) => price.completion_token_cost, { show: perMillion }),
  textColumn('unit', 'Unit', '72px', (price) => price.prompt_token_cost_unit),
  { id: 'from', title: 'From', width: '152px', cell: ({ effective_date }) => effective_date && <Time value={effective_date} /> },
]

/** Stores a price that was removed, with the same date. */
function restorePrice(project_id: string, { id: _id, llm_id, ...price }: Price) {
  return client.costs.create({ project_id, costs: { [llm_id ?? '']: price } } as Parameters<typeof client.costs.create>[0])
}

/** Prices other than those of prompt and completion tokens. */
function FurtherPrices({ price }: { price: Price }) {
  const own = statedText(price, furtherPrices)
  const tiers = price.tiers ?? []
  if (own === '' && tiers.length === 0) return null
  return (
    <ul className="text-xs text-fg-2">
      {own !== '' && <li>{own}</li>}
      {tiers.map((tier) => (
        <li key={tierText(tier)}>{`${tierText(tier)}: ${statedText(tier, [...mainPrices, ...furtherPrices])}`}</li>
      ))}
    </ul>
  )
}

function statedText(
  prices: Partial<Record<PriceName, number | null | undefined>>,
  names: readonly (readonly [name: PriceName, of: string])[],
): string {
  const stated = names.filter(([name]) => (prices[name] ?? 0) !== 0)
  return stated.map(([name, of]) => `${of} ${perMillion(prices[name] ?? null)}`).join(', ')
}
