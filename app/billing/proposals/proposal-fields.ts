import { WRONG_AMOUNT, typedAmount } from '#app/leads/lead/written-amount.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { decimalText, minorDigits, moneyText } from '#app/platform/text/money.ts'
import { type Proposal, type ProposalContent, proposalContent, type ProposalLine } from './proposal.ts'

/** A line as it is typed. */
export type LineFields = Pick<ProposalLine, 'id' | 'title' | 'detail' | 'isOptional' | 'isChosen'> & {
  quantity: string
  price: string
  discount: string
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
  deposit: string
  isNonRefundable: boolean
  validUntil: string
}

const percentText = (share: number) => (share === 0 ? '' : String(share / 100))

export function fieldsOf({ content }: Pick<Proposal, 'content'>): ProposalFields {
  const { lines, startsOn, deliversOn, depositShare, ...texts } = content
  return {
    ...texts,
    lines: lines.map(({ quantity, unitAmount, discountShare, ...line }) => ({
      ...line,
      quantity: String(quantity / 1000),
      price: decimalText(unitAmount, content.currency),
      discount: percentText(discountShare),
    })),
    startsOn: startsOn ?? '',
    deliversOn: deliversOn ?? '',
    deposit: String(depositShare / 100),
  }
}

/** The content of these fields, checked as the server does. A number that cannot be read is NaN, which no schema takes. */
export function checkProposal(
  fields: ProposalFields,
): { body: ProposalContent; errors?: never } | { body?: never; errors: Record<string, string> } {
  const { lines, startsOn, deliversOn, deposit, ...texts } = fields
  const checked = proposalContent.safeParse({
    ...texts,
    lines: lines.map(({ quantity, price, discount, ...line }) => ({
      ...line,
      quantity: readNumber(quantity, 1000),
      unitAmount: readNumber(price, 10 ** minorDigits(fields.currency)),
      discountShare: discount.trim() === '' ? 0 : readNumber(discount, 100),
    })),
    startsOn: startsOn || null,
    deliversOn: deliversOn || null,
    depositShare: readNumber(deposit, 100),
  })
  return checked.success ? { body: checked.data } : { errors: assignErrors(firstErrors(checked.error)) }
}

function readNumber(text: string, unit: number): number {
  return Math.round((typedAmount(text) ?? Number.NaN) * unit)
}

/** Each error at the field of the editor that it is about. */
export function assignErrors(errors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, sentence]) => {
      const name = path.replace('unitAmount', 'price').replace('discountShare', 'discount').replace('depositShare', 'deposit')
      return [name, name.endsWith('price') ? WRONG_AMOUNT : sentence]
    }),
  )
}

/** In words, for the comparison of two versions. */
export function describeFields({ lines, isNonRefundable, ...texts }: ProposalFields): Record<string, string> {
  const line = ({ title, detail, quantity, price, discount, isOptional, isChosen }: LineFields) =>
    [title, detail, `${quantity} × ${price}`, discount && `less ${discount} %`, isOptional && (isChosen ? 'optional, chosen' : 'optional')]
      .filter(Boolean)
      .join('\n')
  return {
    Title: texts.title,
    Introduction: texts.intro,
    Currency: texts.currency,
    Lines: lines.map(line).join('\n\n'),
    'Work begins': texts.startsOn,
    Delivery: texts.deliversOn,
    'What we need from the client': texts.needs,
    Terms: texts.terms,
    'Version of the terms': texts.termsVersion,
    'Deposit in percent': texts.deposit,
    'Deposit is not refundable': isNonRefundable ? 'yes' : 'no',
    'Valid until': texts.validUntil,
  }
}

/** The sum of the lines that count so far; lines that cannot be read count nothing. */
export function sumText({ lines, currency }: Pick<ProposalFields, 'lines' | 'currency'>): string {
  const sum = lines
    .filter(({ isOptional, isChosen }) => !isOptional || isChosen)
    .reduce((total, { quantity, price, discount }) => {
      const net = (typedAmount(quantity) ?? 0) * (typedAmount(price) ?? 0) * (1 - (typedAmount(discount) ?? 0) / 100)
      return total + Math.round(net * 10 ** minorDigits(currency))
    }, 0)
  return moneyText(sum, currency)
}

/** An id that no other line has. */
export function newLine(lines: readonly LineFields[]): LineFields {
  const taken = new Set(lines.map(({ id }) => id))
  let at = lines.length + 1
  while (taken.has(`a${at}`)) at += 1
  return { id: `a${at}`, title: '', detail: '', quantity: '1', price: '', discount: '', isOptional: false, isChosen: false }
}
