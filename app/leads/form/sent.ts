import { budgets, timeframes } from '#app/content/contact-options.ts'
import { sentTexts } from '#app/content/sent.ts'
import { shortened } from '#app/platform/text/shortened.ts'

/** The fields of an enquiry that its confirmation repeats. */
type SentValues = { [name in keyof typeof sentTexts.facts]?: string | null | undefined }

/** A sent enquiry as its sender sees it. */
export type SentEnquiry = {
  /** Empty for an address that names none of ours. */
  reference: string
  /** Undefined for a visitor who cannot show that they sent it. */
  values: SentValues | undefined
  /** Where a call is booked. */
  callUrl: string
}

/** In characters. */
const MOST_SHOWN = 160

/** In short, with the labels of choices. */
export function summaryOf({ problem, message, budget, timeframe, email }: SentValues): { label: string; text: string }[] {
  const { facts } = sentTexts
  const all = [
    { label: facts.problem, text: problem },
    { label: facts.message, text: message },
    { label: facts.budget, text: labelOf(budgets, budget) },
    { label: facts.timeframe, text: labelOf(timeframes, timeframe) },
    { label: facts.email, text: email },
  ]
  return all.flatMap(({ label, text }) => (text ? [{ label, text: shortened(text, MOST_SHOWN) }] : []))
}

function labelOf(options: readonly { value: string; label: string }[], value: string | null | undefined): string | undefined {
  return options.find((option) => option.value === value)?.label
}
