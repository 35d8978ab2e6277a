import { z } from 'zod/mini'
import { email, limits, required } from '#app/leads/contact.ts'
import { characterCount, manyLines, oneLine } from '#app/platform/clean-text.ts'

const PHONE = 'A phone number has 4 to 40 digits, spaces and signs'
const DESCRIPTION = 'Describe the project in at least 10 characters'

/** A consultation that staff write down: someone has called, or was met. */
export const newConsultation = z.object({
  name: required('Name is required', 'Name', limits.name),
  email: email('Invalid email address'),
  company: z.nullish(
    z.string('Please name the company').check(z.overwrite(oneLine), z.maxLength(limits.company, 'Company must be shorter')),
  ),
  phone: z.nullish(z.string(PHONE).check(z.overwrite(oneLine), z.regex(/^$|^[+\d(][\d\s()./+x-]{3,39}$/i, PHONE))),
  projectDescription: z.string(DESCRIPTION).check(
    z.overwrite(manyLines),
    z.refine((text) => characterCount(text) >= 10, DESCRIPTION),
    z.maxLength(limits.message, `The description must be at most ${limits.message.toLocaleString('en')} characters`),
  ),
})

export type NewConsultation = z.infer<typeof newConsultation>
