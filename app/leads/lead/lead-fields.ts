import { z } from 'zod/mini'
import { budgets, timeframes } from '#app/content/contact-options.ts'
import type { EnquiryField } from './contact.ts'

type LeadField = {
  /** For staff: in the panel and in their email. */
  label: string
  /** The head of its column in the CSV file; `null` without a column. */
  csvHead: string | null
  options?: readonly { value: string; label: string }[]
  /** Shown in the panel in place of a missing value. Without it, a missing value has no line. */
  missing?: string
}

export const NO_SERVICE_TYPE = 'Not specified'

/**
 * Every field of an enquiry, in the order in which staff see it. The staff email, the panel, the CSV file, the spam check and the check of a
 * repeated attempt derive from it, so a new field of the forms needs a line here, or it does not compile.
 */
export const leadFields: Record<EnquiryField, LeadField> = {
  name: { label: 'Name', csvHead: 'Name' },
  email: { label: 'Email', csvHead: 'Email' },
  company: { label: 'Company', csvHead: 'Company', missing: '-' },
  country: { label: 'Country', csvHead: null },
  serviceType: { label: 'Service type', csvHead: 'Service Type', missing: NO_SERVICE_TYPE },
  problem: { label: 'Problem', csvHead: null },
  message: { label: 'Message', csvHead: 'Message' },
  budget: { label: 'Budget', csvHead: null, options: budgets },
  timeframe: { label: 'Timeframe', csvHead: null, options: timeframes },
  form: { label: 'Form', csvHead: null },
}

/** The same fields as they are stored, for the API and the staff email. */
export const storedEnquiry = z.object({
  name: z.string(),
  email: z.string(),
  company: z.nullable(z.string()),
  country: z.string(),
  serviceType: z.nullable(z.string()),
  problem: z.string(),
  message: z.string(),
  budget: z.nullable(z.string()),
  timeframe: z.nullable(z.string()),
  form: z.string(),
} satisfies Record<EnquiryField, z.ZodMiniType>)

export type StoredEnquiry = z.infer<typeof storedEnquiry>

export const leadFieldNames: readonly EnquiryField[] = z.keyof(storedEnquiry).options

/** The fields of an enquiry as they are stored: a missing one is `null`. */
export function asStoredEnquiry(enquiry: Partial<Record<EnquiryField, unknown>>): StoredEnquiry {
  return storedEnquiry.parse(Object.fromEntries(leadFieldNames.map((name) => [name, enquiry[name] ?? null])))
}

/** The other fields have a place of their own in the panel and in the email: the title, a link, the text. */
const isFact = (name: EnquiryField) => name !== 'name' && name !== 'email' && name !== 'message'

export type LeadFact = { name: EnquiryField; label: string; value: string | undefined }

/** The facts of an enquiry as staff read them, with the label of a choice in place of its value. */
export function leadFacts(enquiry: StoredEnquiry): LeadFact[] {
  return leadFieldNames.filter(isFact).map((name) => {
    const { label, options } = leadFields[name]
    const value = enquiry[name] || undefined
    return { name, label, value: options?.find((option) => option.value === value)?.label ?? value }
  })
}
