import { SaxesParser, type SaxesTagNS } from 'saxes'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { BankLine, Statement } from './bank-line.ts'
import { minorAmount } from './minor-amount.ts'

/** An element without its prefix: banks use different ones. */
type Element = { name: string; currency: string; text: string; children: Element[] }

/** Deeper files are no statements. */
const DEEPEST = 40

const kinds: Record<string, string> = {
  BkToCstmrAcctRpt: 'an intraday report (CAMT.052)',
  BkToCstmrDbtCdtNtfctn: 'a notification of single entries (CAMT.054)',
}

/** Reads a bank statement in the format CAMT.053 of any version. Entries that are not booked yet are skipped. */
export function readCamt(xml: string): Statement {
  const statement: Statement = { lines: [], skipped: 0, problems: [] }
  let isStatement = false
  let account = ''
  let createdOn = ''
  walk(xml, {
    onStart(name) {
      if (kinds[name]) refuse(`This file is ${kinds[name]}. Export the account statement as CAMT.053.`)
      if (name === 'BkToCstmrStmt') isStatement = true
      if (name === 'Stmt') [account, createdOn] = ['', '']
    },
    onEnd(element, line) {
      if (element.name === 'Acct') account = accountOf(element)
      if (element.name === 'CreDtTm') createdOn ||= dayIn(element.text)
      if (element.name === 'Ntry') addEntry(statement, element, { account, createdOn, line })
    },
  })
  if (!isStatement) refuse('This file is not a CAMT.053 bank statement.')
  return statement
}

function refuse(sentence: string): never {
  stop('unprocessable', sentence, { code: 'validation_failed', errors: { text: sentence } })
}

/** Elements whose content is read as a whole. */
const whole = new Set(['Acct', 'CreDtTm', 'Ntry'])

type Walk = { onStart: (name: string) => void; onEnd: (element: Element, line: number) => void }

/** Goes through a file of any size: only the entry that is open is in memory. */
function walk(xml: string, { onStart, onEnd }: Walk): void {
  const parser = new SaxesParser({ xmlns: true })
  const open: Element[] = []
  let depth = 0
  parser.on('opentag', ({ local, attributes }: SaxesTagNS) => {
    depth += 1
    if (depth > DEEPEST) refuse('This file is not a CAMT.053 bank statement.')
    onStart(local)
    if (open.length === 0 && !whole.has(local)) return
    const element: Element = { name: local, currency: attributes['Ccy']?.value ?? '', text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    depth -= 1
    const element = open.pop()
    if (element && open.length === 0) onEnd(element, parser.line)
  })
  parser.on('error', ({ message }) => refuse(`The file is not well-formed XML: ${message}`))
  parser.write(xml).close()
}

/** The elements at a path, such as `Refs/EndToEndId`. */
function all(element: Element, path: string): Element[] {
  return path
    .split('/')
    .reduce((found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)), [element])
}

/** The first text that is not empty at one of the paths. */
function textAt(element: Element, ...paths: string[]): string {
  for (const path of paths) {
    const text = all(element, path)
      .map((each) => oneLine(each.text))
      .find(Boolean)
    if (text) return text
  }
  return ''
}

function accountOf(element: Element): string {
  return textAt(element, 'Id/IBAN', 'Id/Othr/Id', 'Id/PrtryAcct/Id').replaceAll(/\s/g, '')
}

function dayIn(text: string): string {
  return /^\d{4}-\d\d-\d\d/.exec(text.trim())?.[0] ?? ''
}

type Place = { account: string; createdOn: string; line: number }

function addEntry(statement: Statement, entry: Element, { account, createdOn, line }: Place): void {
  // Since version 8 the state is in an element of its own.
  const state = textAt(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts')
  if (state && state !== 'BOOK') {
    statement.skipped += 1
    return
  }
  const bookedOn = dayIn(textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm')) || createdOn
  const sum = amountOf(all(entry, 'Amt')[0], isDebit(entry))
  if (!bookedOn) statement.problems.push({ line, reason: 'The entry has no date.' })
  else if (typeof sum === 'string') statement.problems.push({ line, reason: sum })
  else if (sum.amount === 0) statement.skipped += 1
  else statement.lines.push(...linesOf(entry, { ...sum, account, bookedOn }))
}

type Sum = { amount: number; currency: string }

/** The signed amount, or why it cannot be read. */
function amountOf(element: Element | undefined, isNegative: boolean): Sum | string {
  if (!element) return 'The entry has no amount.'
  const { currency } = element
  const amount = minorAmount(element.text.trim(), currency)
  if (amount === undefined) return `“${oneLine(element.text)} ${currency}” is not an amount.`
  return { amount: isNegative ? -amount : amount, currency }
}

function isDebit(element: Element): boolean {
  return textAt(element, 'CdtDbtInd') === 'DBIT'
}

type Entry = Sum & Pick<BankLine, 'account' | 'bookedOn'>

/** A collected entry is one line for each of its payments, where their amounts are given and sum up to it. */
function linesOf(entry: Element, known: Entry): BankLine[] {
  const details = all(entry, 'NtryDtls/TxDtls')
  const sums = details.map((detail) => detailAmount(detail, entry, known.currency))
  const isSplit = details.length > 1 && sums.every((sum) => sum !== undefined)
  if (isSplit && sums.reduce<number>((sum, amount) => sum + (amount ?? 0), 0) === known.amount)
    return details.map((detail, at) => lineOf(entry, [detail], { ...known, amount: sums[at] ?? 0, isCollected: true }))
  return [lineOf(entry, details, known)]
}

function detailAmount(detail: Element, entry: Element, currency: string): number | undefined {
  const isNegative = textAt(detail, 'CdtDbtInd') ? isDebit(detail) : isDebit(entry)
  const found = [...all(detail, 'Amt'), ...all(detail, 'AmtDtls/TxAmt/Amt')].find((each) => each.currency === currency)
  const sum = amountOf(found, isNegative)
  return typeof sum === 'string' ? undefined : sum.amount
}

/** `isCollected`: it is one of several payments of its entry. */
function lineOf(entry: Element, details: Element[], { isCollected, ...known }: Entry & { isCollected?: boolean }): BankLine {
  const [only] = details.length === 1 ? details : []
  const parts = [...details, entry]
  const isIncoming = known.amount > 0
  const ends = isIncoming ? ['Dbtr', 'UltmtDbtr'] : ['Cdtr', 'UltmtCdtr']
  const first = (...paths: string[]) => parts.map((part) => textAt(part, ...paths)).find(Boolean) ?? ''
  const line = {
    ...known,
    payer: first(...ends.flatMap((end) => [`RltdPties/${end}/Pty/Nm`, `RltdPties/${end}/Nm`])),
    payerAccount: accountIn(details, isIncoming ? 'DbtrAcct' : 'CdtrAcct'),
    text: oneLine([...details.flatMap(textsOf), textAt(entry, 'AddtlNtryInf')].filter(isNew).join(' ')).slice(0, 2000),
    bankReference: first('Refs/AcctSvcrRef', 'AcctSvcrRef', 'NtryRef'),
    isReturn: textAt(entry, 'RvslInd') === 'true' || details.some((detail) => all(detail, 'RtrInf').length > 0),
    instructed: only ? instructedIn(only, known) : null,
    fee: only ? chargesIn(only, isCollected ? undefined : entry, known.currency) : 0,
  }
  return { ...line, raw: JSON.stringify(line) }
}

const isNew = (text: string, at: number, texts: string[]) => text !== '' && texts.indexOf(text) === at

function accountIn(details: Element[], name: string): string {
  const found = details.flatMap((detail) => all(detail, `RltdPties/${name}`)).map(accountOf)
  return found.find(Boolean) ?? ''
}

/** Everything in which a payer or a bank writes a reference. */
const texts = [
  'RmtInf/Ustrd',
  'RmtInf/Strd/CdtrRefInf/Ref',
  'RmtInf/Strd/RfrdDocInf/Nb',
  'RmtInf/Strd/AddtlRmtInf',
  'Refs/EndToEndId',
  'RtrInf/AddtlInf',
  'AddtlTxInf',
]

function textsOf(detail: Element): string[] {
  return texts.flatMap((path) => all(detail, path).map((each) => oneLine(each.text))).filter((text) => text !== 'NOTPROVIDED')
}

/** The amount that was ordered, where it differs from the one that arrived. */
function instructedIn(detail: Element, { amount, currency }: Sum): BankLine['instructed'] {
  const sum = amountOf(all(detail, 'AmtDtls/InstdAmt/Amt')[0], false)
  if (typeof sum === 'string' || (sum.currency === currency && sum.amount === Math.abs(amount))) return null
  return sum
}

/** The charges of one payment: of its own details, else of its entry. */
function chargesIn(detail: Element, entry: Element | undefined, currency: string): number {
  const records = (element: Element) => [
    ...all(element, 'Chrgs/Rcrd'),
    ...all(element, 'Chrgs').filter((each) => all(each, 'Amt').length > 0),
  ]
  const own = records(detail)
  const charged = (own.length > 0 || !entry ? own : records(entry)).filter((record) => textAt(record, 'CdtDbtInd') !== 'CRDT')
  return charged.reduce((sum, record) => {
    const fee = amountOf(all(record, 'Amt')[0], false)
    return typeof fee !== 'string' && fee.currency === currency ? sum + fee.amount : sum
  }, 0)
}
