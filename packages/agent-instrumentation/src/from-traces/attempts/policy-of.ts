/**
 * Says of the model of a call whether it is the one that is trained. Names of trained models may carry a scheme and a step, as in
 * `heddle-artifact:///entity/project/name:step4`. Without a name every model is.
 */
export function policyOf(name: string | undefined): (model: string | undefined) => boolean {
  if (name === undefined) return () => true
  return (model) => model !== undefined && (model === name || withoutStep(model) === name)
}

const withoutStep = (model: string) => model.replace(/^[a-z][a-z0-9-]*:\/{2,3}/, '').replace(/:step\d+$/, '')
