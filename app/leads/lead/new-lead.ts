import { z } from 'zod/mini'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { contactEmail, required } from './contact.ts'
import { anyUuid } from '#app/leads/lead/fact-value.ts'
import { enquiryLimits } from './enquiry-limits.ts'

export const LEAD_PEOPLE = '/api/lead-people'

const optionalLine = (label: string, most: number) =>
  z.optional(
    z.nullable(
      z
        .string(`${label} must be a text.`)
        .check(z.overwrite(oneLine), ...atMost(most, { error: () => `${label} must be at most ${most} characters` })),
    ),
  )

const fields = {
  name: required('Enter a name', 'The name', enquiryLimits.name),
  email: z.optional(z.union([z.literal(''), contactEmail('Enter an email address')], 'Enter an email address')),
  problem: required('Say what it is about', 'This', enquiryLimits.problem),
  message: z.optional(
    z
      .string('The details are a text.')
      .check(z.overwrite(manyLines), ...atMost(enquiryLimits.message, { error: () => 'The details are too long' })),
  ),
  company: optionalLine('The company', enquiryLimits.company),
  phone: optionalLine('The phone number', 40),
  country: optionalLine('The country', enquiryLimits.country),
  ownerId: z.optional(z.nullable(anyUuid('Choose an owner.'))),
  valueCents: z.optional(z.nullable(z.number('A value is a number, 0 or more.').check(z.int(), z.minimum(0), z.maximum(1e12)))),
}

type Reach = { email?: string | undefined; phone?: string | null | undefined; company?: string | null | undefined }

const isReachable = ({ email, phone, company }: Reach) => Boolean(email || phone || company)
const NO_WAY = { error: 'Enter an email address, a phone number or a company', path: ['email'] }
const NO_ADDRESS = { error: 'The acknowledgement needs an email address', path: ['email'] }

/**
 * A lead that staff add by hand. Without an email address, it has a phone number or the name of someone in a company. `acknowledge` sends the person the
 * acknowledgement, and with it our promises.
 */
export const newLead = z.object({ ...fields, acknowledge: z.optional(z.boolean()) }).check(
  z.refine(isReachable, NO_WAY),
  z.refine(({ email, acknowledge }) => Boolean(email) || !acknowledge, NO_ADDRESS),
)

const { message: _text, ...ofEmail } = fields

/** A lead that staff make of an email, whose text is its message. */
export const leadFromEmail = z.object(ofEmail).check(z.refine(isReachable, NO_WAY))

export type LeadFromEmail = z.infer<typeof leadFromEmail>

export type NewLeadBody = z.infer<typeof newLead>

export const addedLead = z.object({ id: z.string(), reference: z.string() })

const PEOPLE = 'Search for 1 to 200 characters.'

/** People by words of their leads, or the one with an address. */
export const peopleQuery = z.object({
  q: z.optional(z.string(PEOPLE).check(z.trim(), z.minLength(1, PEOPLE), ...atMost(200, PEOPLE))),
  email: z.optional(contactEmail('Invalid email address')),
})

/** A person with their latest leads. */
export const leadPerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.nullable(z.string()),
  leads: z.array(z.object({ reference: z.string(), problem: z.string(), createdAt: z.string() })),
})

export type LeadPerson = z.infer<typeof leadPerson>

export const leadPeople = z.object({ people: z.array(leadPerson) })

export const peopleUrl = (query: { q: string } | { email: string }) => `${LEAD_PEOPLE}?${new URLSearchParams(query)}`
