export { addKeys, attention, attentionBackward, attentionOfRows, attentionScratch } from './attention'
export {
  add,
  addRowsTo,
  addToColumns,
  addToRows,
  copy,
  gatherBfloat16Columns,
  gatherColumns,
  gatherRows,
  rmsNorm,
  rmsNormBackward,
  rotate,
  scale,
  scaleRows,
  scatterRows,
  sumOfSquares,
  swiglu,
  swigluBackward,
} from './elementwise'
export { logProbabilities, logProbabilitiesBackward } from './loss'
export { matmul, multiplyBfloat16, pack, transpose, transposedBfloat16Panel, transposePanels } from './matrix'
export { adamW } from './optimizer'
