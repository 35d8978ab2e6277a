import { WRONG_AMOUNT, typedAmount } from '#app/leads/lead/written-amount.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { decimalText, minorDigits, moneyText } from '#app/platform/text/money.ts'
import { type Proposal, type ProposalContent, proposalContent, type ProposalLine } from './proposal.ts'

/** A line as it is typed. */
export type LineFields = Pick<ProposalLine, 'id' | 'title' | 'detail' | 'isOptional' | 'isChosen'> & {
  quantity: string
  price: string
  discount: string
  /** The client chooses the quantity, from the least to the most. */
  hasRange: boolean
  least: string
  most: string
}

/** The fields of the editor: numbers as typed. */
export type ProposalFields = {
  title: string
  intro: string
  currency: string
  lines: LineFields[]
  startsOn: string
  deliversOn: string
  needs: string
  terms: string
  termsVersion: string
  /** On the whole: a percentage or an amount. */
  discount: string
  discountKind: 'percent' | 'amount'
  deposit: string
  isNonRefundable: boolean
  validUntil: string
}

const percentText = (share: number) => (share === 0 ? '' : String(share / 100))

export function fieldsOf({ content }: Pick<Proposal, 'content'>): ProposalFields {
  const { lines, startsOn, deliversOn, depositShare, discountShare: wholeShare = 0, discountAmount = 0, ...texts } = content
  return {
    ...texts,
    lines: lines.map(({ quantity, range, unitAmount, discountShare, ...line }) => ({
      ...line,
      quantity: String(quantity / 1000),
      hasRange: Boolean(range),
      least: range ? String(range.least / 1000) : '1',
      most: range ? String(range.most / 1000) : '',
      price: decimalText(unitAmount, content.currency),
      discount: percentText(discountShare),
    })),
    startsOn: startsOn ?? '',
    deliversOn: deliversOn ?? '',
    discount: discountAmount > 0 ? decimalText(discountAmount, content.currency) : percentText(wholeShare),
    discountKind: discountAmount > 0 ? 'amount' : 'percent',
    deposit: String(depositShare / 100),
  }
}

/** The content of these fields, checked as the server does. A number that cannot be read is NaN, which no schema takes. */
export function checkProposal(
  fields: ProposalFields,
): { body: ProposalContent; errors?: never } | { body?: never; errors: Record<string, string> } {
  const { lines, startsOn, deliversOn, deposit, discount: whole, discountKind, ...texts } = fields
  const minor = 10 ** minorDigits(fields.currency)
  const checked = proposalContent.safeParse({
    ...texts,
    lines: lines.map(({ quantity, price, discount, hasRange, least, most, ...line }) => ({
      ...line,
      quantity: readNumber(quantity, 1000),
      range: hasRange ? { least: readNumber(least, 1000), most: readNumber(most, 1000) } : null,
      unitAmount: readNumber(price, minor),
      discountShare: readDiscount(discount, 100),
    })),
    discountShare: discountKind === 'percent' ? readDiscount(whole, 100) : 0,
    discountAmount: discountKind === 'amount' ? readDiscount(whole, minor) : 0,
    startsOn: startsOn || null,
    deliversOn: deliversOn || null,
    depositShare: readNumber(deposit, 100),
  })
  return checked.success ? { body: checked.data } : { errors: assignErrors(firstErrors(checked.error)) }
}

function readNumber(text: string, unit: number): number {
  return Math.round((typedAmount(text) ?? Number.NaN) * unit)
}

/** An empty one is none. */
function readDiscount(text: string, unit: number): number {
  return text.trim() === '' ? 0 : readNumber(text, unit)
}

/** Each error at the field of the editor that it is about. */
export function assignErrors(errors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, sentence]) => {
      const name = path
        .replace('unitAmount', 'price')
        .replace(/discountShare|discountAmount/, 'discount')
        .replace('depositShare', 'deposit')
        .replace('range.', '')
      return [name, name.endsWith('price') ? WRONG_AMOUNT : sentence]
    }),
  )
}

/** The line of an error: its sentence does not name it. */
export function placeOf(name: string): string {
  const [part, at] = name.split('.')
  return part === 'lines' && at !== undefined ? `Line ${Number(at) + 1}` : ''
}

/** In words, for the comparison of two versions. */
export function describeFields({ lines, isNonRefundable, ...texts }: ProposalFields): Record<string, string> {
  const line = ({ title, detail, quantity, price, discount, hasRange, least, most, isOptional, isChosen }: LineFields) =>
    [
      title,
      detail,
      `${quantity} × ${price}`,
      hasRange && `the client chooses from ${least} to ${most}`,
      discount && `less ${discount}%`,
      isOptional && (isChosen ? 'optional, chosen' : 'optional'),
    ]
      .filter(Boolean)
      .join('\n')
  return {
    Title: texts.title,
    Introduction: texts.intro,
    Currency: texts.currency,
    Lines: lines.map(line).join('\n\n'),
    'Discount on the whole': texts.discount && `${texts.discount}${texts.discountKind === 'percent' ? '%' : ` ${texts.currency}`}`,
    'Work begins': texts.startsOn,
    Delivery: texts.deliversOn,
    'Needed from the client': texts.needs,
    Terms: texts.terms,
    'Version of the terms': texts.termsVersion,
    'Deposit in percent': texts.deposit,
    'Deposit is not refundable': isNonRefundable ? 'yes' : 'no',
    'Valid until': texts.validUntil,
  }
}

/** The sum of the lines that count so far; lines that cannot be read count nothing. */
export function sumText({
  lines,
  currency,
  discount,
  discountKind,
}: Pick<ProposalFields, 'lines' | 'currency' | 'discount' | 'discountKind'>): string {
  const minor = 10 ** minorDigits(currency)
  const sum = lines
    .filter(({ isOptional, isChosen }) => !isOptional || isChosen)
    .reduce((total, { quantity, price, discount: less }) => {
      const net = (typedAmount(quantity) ?? 0) * (typedAmount(price) ?? 0) * (1 - (typedAmount(less) ?? 0) / 100)
      return total + Math.round(net * minor)
    }, 0)
  const typed = typedAmount(discount) ?? 0
  const off = Math.round(discountKind === 'percent' ? (sum * typed) / 100 : typed * minor)
  return moneyText(sum - Math.min(off, sum), currency)
}

/** An id that no other line has. */
export function newLine(): LineFields {
  // Not that of a line that was removed: it can come back.
  const id = crypto.randomUUID().slice(-12)
  const empty = { title: '', detail: '', price: '', discount: '', most: '' }
  return { id, ...empty, quantity: '1', least: '1', hasRange: false, isOptional: false, isChosen: false }
}
