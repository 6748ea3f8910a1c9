/** Fields of a response that identify the weights behind it. */
export interface ResponseOrigin {
  headers?: Readonly<Record<string, string | undefined>> | undefined
  /** Names of the model, as the response and the request have them. */
  models: readonly unknown[]
}

const header = 'x-model-step'

/**
 * Training step of the weights that responded: from the training service's header, else from the address of the model (`:step4`). Undefined if
 * neither has it.
 */
export function policyVersionOf({ headers = {}, models }: ResponseOrigin): number | undefined {
  const [, told] = Object.entries(headers).find(([name]) => name.toLowerCase() === header) ?? []
  if (told !== undefined && /^\d{1,15}$/.test(told)) return Number(told)
  const steps = models.flatMap((model) => (typeof model === 'string' ? (/:step(\d{1,15})$/.exec(model)?.[1] ?? []) : []))
  return steps[0] === undefined ? undefined : Number(steps[0])
}
