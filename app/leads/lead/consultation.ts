import { z } from 'zod/mini'
import { atMost, characterCount, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { contactEmail, required } from './contact.ts'
import { enquiryLimits } from './enquiry-limits.ts'

const PHONE = 'A phone number has 4 to 40 digits, spaces and signs'
export const DESCRIPTION = 'Describe the project in at least 10 characters'

/** A consultation that staff add after a phone call or a meeting. */
export const newConsultation = z.object({
  name: required('Name is required', 'Name', enquiryLimits.name),
  email: contactEmail('Invalid email address'),
  company: z.nullish(
    z.string('Please name the company').check(z.overwrite(oneLine), ...atMost(enquiryLimits.company, 'Company name is too long')),
  ),
  phone: z.nullish(z.string(PHONE).check(z.overwrite(oneLine), z.regex(/^$|^[+\d(][\d\s()./+x-]{3,39}$/i, PHONE))),
  projectDescription: z.string(DESCRIPTION).check(
    z.overwrite(manyLines),
    z.refine((text) => characterCount(text) >= 10, DESCRIPTION),
    ...atMost(enquiryLimits.message, {
      error: () => `The description must be at most ${numberText(enquiryLimits.message)} characters`,
    }),
  ),
})

export type NewConsultation = z.infer<typeof newConsultation>
