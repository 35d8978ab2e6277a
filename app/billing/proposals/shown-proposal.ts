import type { Choice, ProposalLine, ProposalQuestion, ProposalState } from './proposal.ts'

type Sums = { netText: string; taxes: { label: string; amount: string }[]; grossText: string; depositText: string }

/** A line with the quantity that is taken, in thousandths; `range` has those that can be chosen, as people write them. */
export type ShownLine = Pick<ProposalLine, 'id' | 'title' | 'detail' | 'isOptional' | 'quantity' | 'unitAmount' | 'discountShare'> & {
  range: { least: number; most: number; step: number } | undefined
  isTaken: boolean
}

/** A version as its page shows it. */
export type ShownProposal = {
  token: string
  state: ProposalState
  newer: string | undefined
  title: string
  intro: string
  reference: string
  number: number
  needs: string
  terms: string
  termsVersion: string
  from: string
  email: string
  forWhom: string
  validUntil: string
  startsOn: string | null
  deliversOn: string | null
  lines: ShownLine[]
  /** The client chooses lines or quantities. */
  hasChoices: boolean
  discountShare: number
  discountAmount: number
  currency: string
  locale: string
  /** In percent, in words. */
  deposit: string | undefined
  isNonRefundable: boolean
  questions: ProposalQuestion[]
  /** The company that buys, where it is known. */
  company: { name: string; asksCountry: boolean; asksBusiness: boolean } | undefined
  signed:
    | (Sums & {
        name: string
        on: string
        counter: { name: string; on: string } | null
        hasFile: boolean
        payments: { id: string; label: string; amount: string; state: string; isPayable: boolean }[]
      })
    | undefined
  signer: { refusal: string } | { address: string; isOwnAccount: boolean }
  /** Two letters and name of each country, and the one that the enquiry named. */
  countries: readonly (readonly [code: string, name: string])[]
  countryCode: string
}

/** The buttons of the part that accepts, which shows their refusals itself. */
const accepting: ReadonlySet<string | undefined> = new Set(['code', 'sign', 'change'])

export function isOfAccepting({ fields }: Pick<Shown, 'fields'>): boolean {
  return accepting.has(fields['intent'])
}

/** The result of a form of the page, with its fields. `choice`: what the form that accepts has chosen. `sum`: the totals that the sent code signs. */
export type Shown = {
  choice?: Choice | undefined
  errors: Readonly<Record<string, string>>
  fields: Readonly<Record<string, string>>
  /** Above everything: what was done. */
  notice?: string | undefined
  sum?: Sums & { digest: string }
  /** The code was sent in place of an earlier one. */
  isAgain?: boolean
}
