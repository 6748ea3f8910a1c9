/**
 * Returns a function that decides whether the model of a call is being trained. Names of trained models may have a scheme and a step, as in
 * `heddle-artifact:///entity/project/name:step4`. Without a name, every model is.
 */
export function policyOf(name: string | undefined): (model: string | undefined) => boolean {
  if (name === undefined) return () => true
  return (model) => model !== undefined && (model === name || withoutStep(model) === name)
}

const withoutStep = (model: string) => model.replace(/^[a-z][a-z0-9-]*:\/{2,3}/, '').replace(/:step\d+$/, '')
