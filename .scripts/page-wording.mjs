import ts from 'typescript'

/** What pages do not say, each with what they say in its place. @type {[RegExp, string][]} */
export const pagePhrases = [
  [/^(?:Reading|Waiting for the answer)\b.*…?$/, 'a skeleton'],
  [/\bLay over it\b/, 'Add run'],
  [/\bStarted in the last\b/, 'Last 24 hours, in the picker'],
  [/\bsave this view as\b/i, 'Save view'],
  [/\bPart of a field or of its value\b/, 'Filter or search…'],
  [/\bRoots only\b/, 'Traces, All spans'],
  [/\bErrors only\b/, 'Errors'],
  [/\bSlowest first\b/i, 'Slowest'],
  [/\bTraces by their totals\b/, 'Group by'],
  [/^Add a column\b/, 'Columns'],
  [/\bUsual columns\b/, 'Reset columns'],
  [/\bName of a view\b/, 'View name'],
  [/\bSmoothing \d/, 'Smoothing, with the value beside it'],
  [/\bLogarithmic\b/, 'Log scale'],
  [/\bWithout outliers\b/, 'Hide outliers'],
  [/\bDrag over a curve\b/, 'Drag to zoom'],
  [/\bMetrics over checkpoints\b/, 'By checkpoint'],
  [/^As a table$/, 'Show as table'],
  [/\bWhat it learned from\b/, 'Training data'],
  [/\bAttempts that are left out\b/, 'Left out'],
  [/\bEvaluations of its checkpoints\b/, 'Checkpoint scores'],
  [/\bno known price\b/i, 'No price'],
  [/\bprograms ask it as\b/, 'API name'],
  [/\bTrials of a row\b/, 'Trials'],
  [/\bTree and timeline\b/, 'Timeline'],
  [/\bTime by name\b/, 'Flame'],
  [/\bCalls below it\b/, 'Children'],
  [/\bTrajectories of this trace\b/, 'Trajectory'],
  [/\bCompare with another trace\b/, 'Compare with…'],
  [/^Add to a dataset\b/, 'Add to dataset'],
  [/^Add to a dashboard\b/, 'Add to dashboard…'],
  [/\bAdd to an annotation queue\b/, 'Send to annotation…'],
  [/\bAsk your assistant\b/, 'Copy for assistant'],
  [/^Input and output$/, 'Input & output'],
  [/\bShare this trace\b/, 'Share'],
  [/\bLinks to this trace\b/, 'Public links'],
  [/\bThe link expires after\b/, 'Expires in'],
  [/\b(?:Latency, median|95th percentile)\b/i, 'p50, p95'],
  [/\bThe (?:highest|strong part of a) bar\b/, 'the numbers alone, or a legend'],
  [/\bcolour of errors\b/, 'a legend'],
  [/\bNo trace (?:failed|started)\b/, 'No failures, No traces in this range'],
  [/\bLatest evaluation runs\b/, 'Evaluations'],
  [/\bOther traces of the same op\b/, 'Similar traces'],
  [/\bNone took a second\b/, 'No slow requests'],
  [/\bMake baseline\b/, 'Set as baseline'],
  [/\bfalls, then rises\b/, 'Biggest change'],
  [/\bClasses of scores\b/, 'By class'],
  [/\bMeans over rows\b/, 'Mean, 95% interval'],
  [/\bNo row has both values\b/, 'No shared rows to plot'],
  [/\bFilter rows by an expression\b/, 'Filter'],
  [/\bExport the rows shown\b/, 'Export'],
  [/\bHow items are given to people\b/, 'Assignment'],
  [/\bReservation in minutes\b/, 'Hold time (min)'],
  [/\bInstructions for annotators\b/, 'Instructions'],
  [/\bAnswers of others\b/, 'Other answers'],
  [/\bCorrected output\b/, 'Correction'],
  [/\bNobody (?:holds|has answered)\b/, 'Not reserved, No answers yet'],
  [/\bEdit the queue\b/, 'Edit queue'],
  [/\bColumn of the dataset\b/, 'Column'],
  [/\bDays until it expires\b/, 'Expires in (days)'],
  [/\bNo keys are limited to this project\b/, 'No project keys yet'],
  [/\bCreate a (?:key|webhook) for this project\b/, 'New key, New webhook'],
  [/\bPrices of the project win\b/, 'Project prices override built-in ones'],
  [/\bAllowed outgoing hosts\b/, 'Outbound hosts'],
  [/\bSlow requests of the last hour\b/, 'Slow requests, last hour'],
  [/\bDisk and backup\b/, 'Storage'],
  [/\bThis server does not tell\b/, 'Not reported'],
  [/\bThe two are the same\b/, 'No differences'],
]

/** Attributes whose text is a short label. */
const labels = new Set(['aria-label', 'data-tip', 'label', 'placeholder', 'title'])
/** Attributes whose text may be a sentence. */
const sentences = new Set(['alt', 'caption', 'help', 'note', 'summary', 'text'])

const fullStop = /[\p{L}\d)]\.$/u

/**
 * What a page shows or says: its JSX texts, and the literals of attributes that people meet.
 * @param {string} source @param {string} path
 * @returns {{ line: number, text: string, isLabel: boolean }[]}
 */
export function textsOfPage(source, path) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX)
  /** @type {{ line: number, text: string, isLabel: boolean }[]} */
  const texts = []
  /** @param {import('typescript').Node} node @param {string} text @param {boolean} isLabel */
  function add(node, text, isLabel) {
    const plain = text.replaceAll(/\s+/g, ' ').trim()
    if (plain !== '') texts.push({ line: file.getLineAndCharacterOfPosition(node.pos).line + 1, text: plain, isLabel })
  }
  /** Literals that an expression may show. @param {import('typescript').Node} node @param {boolean} isLabel */
  function addLiterals(node, isLabel) {
    if (ts.isStringLiteralLike(node)) add(node, node.text, isLabel)
    else if (ts.isTemplateExpression(node))
      add(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x'), isLabel)
    else if (ts.isConditionalExpression(node)) for (const one of [node.whenTrue, node.whenFalse]) addLiterals(one, isLabel)
    else if (ts.isBinaryExpression(node)) addLiterals(node.right, isLabel)
    else if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) addLiterals(node.expression, isLabel)
  }
  /** @param {import('typescript').Node} node */
  function visit(node) {
    if (ts.isJsxText(node)) add(node, node.text, false)
    else if (ts.isJsxExpression(node) && node.expression) addLiterals(node.expression, false)
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const isNotice = ts.isIdentifier(node.tagName) && node.tagName.text === 'Notice'
      for (const attribute of node.attributes.properties) {
        if (ts.isJsxAttribute(attribute)) visitAttribute(attribute, isNotice)
        else ts.forEachChild(attribute, visit)
      }
    } else ts.forEachChild(node, visit)
  }
  /** @param {import('typescript').JsxAttribute} attribute @param {boolean} isOfNotice its title may be a sentence */
  function visitAttribute({ name, initializer }, isOfNotice) {
    const text = ts.isIdentifier(name) ? name.text : `${name.namespace.text}:${name.name.text}`
    if (initializer === undefined) return
    const value = ts.isJsxExpression(initializer) ? initializer.expression : initializer
    if (value && (labels.has(text) || sentences.has(text))) addLiterals(value, labels.has(text) && !(isOfNotice && text === 'title'))
    if (value) ts.forEachChild(value, visit)
  }
  visit(file)
  return texts
}

/**
 * Texts of a page that are not in the words of the product.
 * @param {string} source @param {string} path
 * @returns {{ line: number, found: string, instead: string }[]}
 */
export function findPagePhrases(source, path) {
  return textsOfPage(source, path).flatMap(({ line, text, isLabel }) => {
    const phrases = pagePhrases.flatMap(([pattern, instead]) => {
      const [found] = pattern.exec(text) ?? []
      return found === undefined ? [] : [{ line, found, instead }]
    })
    if (isLabel && fullStop.test(text)) phrases.push({ line, found: text, instead: 'a label without a full stop' })
    return phrases
  })
}
