import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DollarSign } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Fold } from '../../ui/fold.tsx'
import { SettingsForm } from './settings-form.tsx'
import { pricesQuery } from './settings-queries.ts'
import {
  arePrices,
  furtherPrices,
  isPrice,
  isTier,
  mainPrices,
  type PriceName,
  type PriceTexts,
  type TierTexts,
  toPrices,
  toTier,
} from './price-form.ts'

type Costs = Parameters<typeof client.costs.create>[0]['costs']

/** Adds the price of a model, from now on. */
export function AddPrice() {
  const { id } = useProject()
  const queries = useQueryClient()
  const [model, setModel] = useState('')
  const [prices, setPrices] = useState<PriceTexts>({})
  const [tiers, setTiers] = useState<readonly TierTexts[]>([])
  const add = useMutation({
    mutationFn() {
      const price = { ...toPrices(prices), ...(tiers.length > 0 && { tiers: tiers.map(toTier) }) }
      return client.costs.create({ project_id: id, costs: { [model.trim()]: price } as Costs })
    },
    onSuccess: () => readAgain(queries, pricesQuery(client, id).queryKey),
  })
  const isComplete =
    model.trim() !== '' && mainPrices.every(([name]) => isPrice(prices[name] ?? '')) && arePrices(prices) && tiers.every(isTier)
  return (
    <SettingsForm title="New price" note="from now on" columns={3} sending={add} action="Add price" isReady={isComplete}>
      <TextField label="Model" help="As in the usage of calls" value={model} onChange={setModel} />
      <PriceField label="Prompt tokens, USD a million" {...fieldOf(prices, 'prompt_token_cost', setPrices)} />
      <PriceField label="Completion tokens, USD a million" {...fieldOf(prices, 'completion_token_cost', setPrices)} />
      <div className="col-span-full">
        <Fold icon={DollarSign} title="More prices">
          <p className="text-fg-2">Empty: as prompt or completion tokens. Cached tokens then cost nothing.</p>
          <PriceFields names={furtherPrices} prices={prices} onChange={setPrices} />
          {tiers.map((tier, at) => (
            <Tier
              key={tier.key}
              number={at + 1}
              tier={tier}
              onChange={(changed) => setTiers(tiers.map((one) => (one.key === tier.key ? changed : one)))}
              onRemove={() => setTiers(tiers.filter(({ key }) => key !== tier.key))}
            />
          ))}
          <Button
            type="button"
            className="mt-3"
            onClick={() => setTiers([...tiers, { key: (tiers.at(-1)?.key ?? 0) + 1, serviceTier: '', above: '', prices: {} }])}
          >
            Add other prices for some requests
          </Button>
        </Fold>
      </div>
    </SettingsForm>
  )
}

interface PriceFieldsProperties {
  names: readonly (readonly [name: PriceName, of: string])[]
  prices: PriceTexts
  onChange: (prices: PriceTexts) => void
}

function PriceFields({ names, prices, onChange }: PriceFieldsProperties) {
  return (
    <div className="mt-3 grid gap-3 sm:grid-cols-2">
      {names.map(([name, of]) => (
        <PriceField key={name} label={`USD a million ${of}`} {...fieldOf(prices, name, onChange)} />
      ))}
    </div>
  )
}

const fieldOf = (prices: PriceTexts, name: PriceName, onChange: (prices: PriceTexts) => void) => ({
  value: prices[name] ?? '',
  onChange: (text: string) => onChange({ ...prices, [name]: text }),
})

interface PriceFieldProperties {
  label: string
  value: string
  onChange: (text: string) => void
}

function PriceField({ label, value, onChange }: PriceFieldProperties) {
  return <TextField label={label} inputMode="decimal" value={value} onChange={onChange} />
}

interface TierProperties {
  number: number
  tier: TierTexts
  onChange: (tier: TierTexts) => void
  onRemove: () => void
}

/** Prices for requests of a service tier, or with long prompts. */
function Tier({ number, tier, onChange, onRemove }: TierProperties) {
  return (
    <fieldset className="mt-3 rounded-lg border border-line px-3 pb-3">
      <legend className="px-1 font-medium">{`Other prices ${number}`}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Service tier"
          help="Such as flex, priority or batch. Empty: the plain service"
          value={tier.serviceTier}
          onChange={(next) => onChange({ ...tier, serviceTier: next })}
        />
        <TextField
          label="Only for prompts with more tokens than"
          optional
          inputMode="numeric"
          value={tier.above}
          onChange={(next) => onChange({ ...tier, above: next })}
        />
      </div>
      <PriceFields names={[...mainPrices, ...furtherPrices]} prices={tier.prices} onChange={(prices) => onChange({ ...tier, prices })} />
      <Button type="button" className="mt-3" onClick={onRemove}>{`Remove other prices ${number}`}</Button>
    </fieldset>
  )
}
