import { z } from 'zod/mini'
import { atMost, characterCount, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { notAnAddress, withAsciiDomain } from '#app/platform/text/email-address.ts'
import { type Budget, budgets, landingProblems, serviceOptions, type Timeframe, timeframes } from '#app/content/contact-options.ts'
import { sourceFields } from '#app/platform/http/source.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { enquiryLimits } from './enquiry-limits.ts'
import { parseHireMessage } from './hire-message.ts'

const UNKNOWN_FORM = 'Form must be one of contact, home, landing, hire'
const BAD_KEY = 'An idempotency key has 1 to 200 visible ASCII characters'
const EMAIL =
  /^(?!\.)(?!.*\.\.)[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?<!\.)@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/i

/** As a function, because the first number that a browser formats takes milliseconds, and most pages need no message. */
const tooLong = (label: string, most: number) => ({ error: () => `${label} must be at most ${numberText(most)} characters` })

export const required = (sentence: string, label: string, most: number) =>
  z.string(sentence).check(z.overwrite(oneLine), z.minLength(1, sentence), ...atMost(most, tooLong(label, most)))

const paragraph = (sentence: string, label: string, most: number) =>
  z.string(sentence).check(
    z.overwrite(manyLines),
    z.refine((text) => characterCount(parseHireMessage(text).text) >= 10, sentence),
    z.refine((text) => isWithin(text, most), tooLong(label, most)),
  )

/** In characters, with the text around them. Without it, a forged choice could carry a message of any length. */
const MOST_CHOICES = 200

function isWithin(text: string, most: number): boolean {
  return characterCount(text) <= most + MOST_CHOICES && characterCount(parseHireMessage(text).text) <= most
}

export const contactEmail = (sentence: string) =>
  z.string(sentence).check(
    z.overwrite((text) => withAsciiDomain(oneLine(text))),
    z.maxLength(enquiryLimits.email, sentence),
    z.regex(EMAIL, notAnAddress(sentence)),
  )

const choice = <Value extends string>(options: readonly { value: Value }[], sentence: string) =>
  z.nullish(z.union([z.literal(''), z.enum(options.map(({ value }) => value))], sentence))

const extras = {
  budget: choice(budgets, 'Please choose a budget from the list'),
  timeframe: choice(timeframes, 'Please choose a timeframe from the list'),
  company: z.nullish(
    z
      .string('Please name your company')
      .check(z.overwrite(oneLine), ...atMost(enquiryLimits.company, tooLong('Company', enquiryLimits.company))),
  ),
}

const message = paragraph('Message must be at least 10 characters', 'Message', enquiryLimits.message)

const home = z.object({
  name: required('Name is required', 'Name', enquiryLimits.name),
  email: contactEmail('Invalid email address'),
  country: required('Please select your country', 'Country', enquiryLimits.country),
  problem: required('Please describe your problem', 'Problem', enquiryLimits.problem),
  message,
  ...extras,
})

/** Country and problem are free text here; the home form's messages apply. */
const contactPage = home

/** In the order of its three steps, so errors are listed from top to bottom. */
const landing = z.object({
  problem: z.enum(landingProblems, 'Please select a problem type'),
  message,
  name: required('Name is required', 'Name', enquiryLimits.name),
  email: contactEmail('Invalid email address'),
  country: required('Country is required', 'Country', enquiryLimits.country),
  ...extras,
})

const hire = z.object({
  name: required('Name must be at least 2 characters', 'Name', enquiryLimits.name).check(
    z.refine((name) => characterCount(name) >= 2, 'Name must be at least 2 characters'),
  ),
  email: contactEmail('Please enter a valid email address'),
  country: required('Country is required', 'Country', enquiryLimits.country),
  problem: paragraph('Please describe your data challenges (minimum 10 characters)', 'This', enquiryLimits.challenges),
  message: paragraph('Please provide additional project details (minimum 10 characters)', 'Message', enquiryLimits.message),
  ...extras,
})

/** The fields of each of the four forms. */
export const enquiryForms = { contact: contactPage, home, landing, hire }

export type EnquiryFormKind = keyof typeof enquiryForms

/** Created by the sender, new for each attempt. */
export const idempotencyKey = z.string(BAD_KEY).check(z.regex(/^[\x21-\x7E]{1,200}$/, BAD_KEY))

/** The other fields of a request: where its form was, its idempotency key, and the spam signals. */
const around = {
  ...sourceFields,
  idempotencyKey: z.optional(idempotencyKey),
  /** A field that no person sees. */
  homepage: z.optional(z.unknown()),
  /** From `GET /api/contact/token`, fetched when the form was opened. */
  token: z.optional(z.unknown()),
  /** The solved challenge of a response with the code `proof_required`. */
  proof: z.optional(z.unknown()),
}

/** The body of `POST /api/contact`: `form` selects the rules; the default is the contact page's. */
export const enquiryBody = z.discriminatedUnion(
  'form',
  [
    z.extend(contactPage, { form: z.prefault(z.literal('contact'), 'contact'), ...around }),
    z.extend(home, { form: z.literal('home'), ...around }),
    z.extend(landing, { form: z.literal('landing'), ...around }),
    z.extend(hire, { form: z.literal('hire'), ...around }),
  ],
  { error: ({ input }) => (isRecord(input) ? UNKNOWN_FORM : 'Send the fields of the form as a JSON object') },
)

type EnquiryBody = z.infer<typeof enquiryBody>

export const enquiryReceipt = z.object({ id: z.string(), reference: z.string() })

export type EnquiryReceipt = z.infer<typeof enquiryReceipt>

/** For the sender: `callUrl` books a call about the enquiry. */
export const sentReceipt = z.extend(enquiryReceipt, { callUrl: z.string() })

export type SentReceipt = z.infer<typeof sentReceipt>

/** The fields of a form that make the enquiry. */
type EnquiryFields = Omit<EnquiryBody, keyof typeof around>

/** An enquiry in one shape for all forms: their fields, with `null` for what is not given. */
export type Enquiry = Omit<EnquiryFields, 'company' | 'budget' | 'timeframe'> & {
  /** Only an option of a list is a service type; free text is not. */
  serviceType: string | null
  company: string | null
  budget: Budget | null
  timeframe: Timeframe | null
}

type FieldOfAny<Body> = Body extends unknown ? keyof Body : never

/** The name of a field that an enquiry has from any of the forms. */
export type EnquiryField = Exclude<FieldOfAny<EnquiryBody>, keyof typeof around> | keyof Enquiry

/** The lists with service types. In the other forms the problem is free text, and no service type even when it reads like one. */
const serviceTypes: Record<EnquiryFormKind, ReadonlySet<string>> = {
  contact: new Set(),
  home: new Set(serviceOptions),
  landing: new Set(landingProblems),
  hire: new Set(),
}

/** Choices come in fields of their own or, from the hire form, as the last two lines of the message, which is stored unchanged. */
export function toEnquiry(fields: EnquiryFields): Enquiry {
  const { form, problem, message, company, budget, timeframe } = fields
  const said = parseHireMessage(message)
  return {
    ...fields,
    serviceType: serviceTypes[form].has(problem) ? problem : null,
    company: company || null,
    budget: budget || said.budget || null,
    timeframe: timeframe || said.timeframe || null,
  }
}

function isRecord(input: unknown): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}
