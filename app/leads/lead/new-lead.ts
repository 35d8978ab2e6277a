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

/** A lead that staff add by hand. `acknowledge` sends the person the acknowledgement, and with it our promises. */
export const newLead = z.object({
  name: required('Enter a name', 'The name', enquiryLimits.name),
  email: contactEmail('Enter an email address'),
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
  acknowledge: z.optional(z.boolean()),
})

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
