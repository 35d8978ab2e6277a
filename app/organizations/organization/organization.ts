import { z } from 'zod/mini'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { cleanVatNumber, VAT_NUMBER_OR_NONE } from '#app/platform/text/vat-number.ts'

/** The organizations of the signed-in person. */
export const ORGANIZATIONS = '/api/organizations'

/** From the fewest rights to the most. */
export const memberRoles = ['reader', 'member', 'buyer', 'admin'] as const

export type MemberRole = (typeof memberRoles)[number]

/** The rights in an organization, with the roles that have them. */
const rights = {
  /** See datasets, reports and projects. */
  see: ['reader', 'member', 'buyer', 'admin'],
  /** Download, request access, have keys of their own. */
  take: ['member', 'buyer', 'admin'],
  /** Buy, and see amounts. */
  buy: ['buyer', 'admin'],
  /** Members, service keys, domains, closing. */
  manage: ['admin'],
} as const satisfies Record<string, readonly MemberRole[]>

export type OrganizationRight = keyof typeof rights

export function mayIn(role: MemberRole, right: OrganizationRight): boolean {
  return rights[right].some((each) => each === role)
}

export const roleNames: Record<MemberRole, { label: string; means: string }> = {
  reader: { label: 'Reader', means: 'Sees datasets' },
  member: { label: 'Member', means: 'Also downloads data and creates API keys' },
  buyer: { label: 'Buyer', means: 'Also buys data and sees invoices' },
  admin: { label: 'Admin', means: 'Also manages members, service keys and domains' },
}

export const organizationStates = ['active', 'suspended', 'closed'] as const

/** The name of the organization of one that every account has. */
export const PERSONAL = 'Personal'

/** An organization in other responses. */
export const organizationName = z.object({ id: z.string(), name: z.string(), isPersonal: z.boolean() })

/** An organization of the signed-in person, with their role. */
export const ownOrganization = z.object({
  id: z.string(),
  /** Null for the personal one. */
  reference: z.nullable(z.string()),
  name: z.string(),
  isPersonal: z.boolean(),
  state: z.enum(organizationStates),
  role: z.enum(memberRoles),
  /** Whether requests of this browser are made for it. */
  isCurrent: z.boolean(),
  /** The provider that members have to sign in with, while this session began in another way. */
  signInWith: z.optional(z.string()),
})

export type OwnOrganization = z.infer<typeof ownOrganization>

/** In characters. */
export const organizationLimits = {
  name: 120,
  legalName: 200,
  address: 1000,
  billingEmails: 500,
  region: 60,
  buyerReference: 100,
  electronicAddress: 100,
  vatEvidence: 1000,
  notes: 4000,
} as const

const line = (label: string, most: number) =>
  z.string(`${label} must be text`).check(z.overwrite(oneLine), ...atMost(most, `${label} must be at most ${most} characters`))

const lines = (label: string, most: number) =>
  z.string(`${label} must be text`).check(z.overwrite(manyLines), ...atMost(most, `${label} must be at most ${most} characters`))

export const organizationTitle = z
  .string('Enter the name of the organization')
  .check(
    z.overwrite(oneLine),
    z.minLength(1, 'Enter the name of the organization'),
    ...atMost(organizationLimits.name, `The name must be at most ${organizationLimits.name} characters`),
  )

const upperCode = (pattern: RegExp, sentence: string) =>
  z.string(sentence).check(
    z.overwrite((text) => text.trim().toUpperCase()),
    z.regex(pattern, sentence),
  )

const EMAILS = /^([^\s@,]+@[^\s@,]+(, ?[^\s@,]+@[^\s@,]+)*)?$/

/** The facts that an admin can change. An empty text means unknown. */
const ownFacts = {
  name: organizationTitle,
  legalName: line('Legal name', organizationLimits.legalName),
  address: lines('Address', organizationLimits.address),
  countryCode: upperCode(/^([A-Z]{2})?$/, 'Choose a country'),
  region: line('State or region', organizationLimits.region),
  kind: z.enum(['', 'business', 'consumer'], 'Choose business or private person'),
  vatNumber: z
    .string('VAT number must be text')
    .check(z.overwrite(cleanVatNumber), z.regex(VAT_NUMBER_OR_NONE, 'A VAT number begins with its country, such as DE123456789')),
  language: z.string('Language must be text').check(
    z.overwrite((text) => text.trim().toLowerCase()),
    z.regex(/^([a-z]{2})?$/, 'A language has two letters, such as de'),
  ),
  billingEmails: line('Email addresses for invoices', organizationLimits.billingEmails).check(
    z.regex(EMAILS, 'Separate email addresses by commas'),
  ),
  needsPurchaseOrder: z.boolean('This must be true or false'),
  buyerReference: line('Your reference', organizationLimits.buyerReference),
  invoiceFormat: z.enum(['', 'xrechnung', 'peppol'], 'Choose a form of invoices'),
  electronicAddress: line('Electronic address', organizationLimits.electronicAddress).check(
    z.regex(/^([0-9A-Z]{2,4}:\S+)?$/, 'An electronic address has the form 0204:991-12345-06'),
  ),
}

/** The facts that only staff can change. */
export const staffFacts = {
  currency: upperCode(/^([A-Z]{3})?$/, 'A currency has three letters, such as EUR'),
  paymentDays: z.nullable(z.int('Days must be a whole number').check(z.minimum(0, 'At least 0 days'), z.maximum(180, 'At most 180 days'))),
  monthlyQuota: z
    .int('The quota must be a whole number of requests')
    .check(z.minimum(0, 'The quota must not be negative'), z.maximum(1_000_000_000, 'The quota is at most 1,000,000,000')),
  invoiceLimit: z.nullable(
    z
      .int('The limit must be an amount, such as 5000')
      .check(z.minimum(0, 'The limit must not be negative'), z.maximum(100_000_000_000, 'The limit is at most 1,000,000,000')),
  ),
  vatEvidence: lines('Evidence for the VAT number', organizationLimits.vatEvidence),
  notes: lines('Notes', organizationLimits.notes),
}

export type OrganizationFact = keyof typeof ownFacts | keyof typeof staffFacts

const isOwnFact = (name: string): name is keyof typeof ownFacts => name in ownFacts
export const ownFactNames = Object.keys(ownFacts).filter(isOwnFact)
const isStaffFact = (name: string): name is keyof typeof staffFacts => name in staffFacts
export const staffFactNames = Object.keys(staffFacts).filter(isStaffFact)

/** Whether clients may learn that a fact was changed: notes are for staff. */
export function isShownFact(name: unknown): name is OrganizationFact {
  return typeof name === 'string' && (isOwnFact(name) || (isStaffFact(name) && name !== 'notes' && name !== 'vatEvidence'))
}

type FactLook = {
  label: string
  input: 'line' | 'lines' | 'country' | 'flag' | 'number' | 'cents' | readonly { value: string; label: string }[]
  hint?: string
}

/** How each fact is shown and edited. */
export const factLooks: Record<OrganizationFact, FactLook> = {
  name: { label: 'Name', input: 'line' },
  legalName: { label: 'Legal name', input: 'line', hint: 'As in the commercial register, if it differs.' },
  address: { label: 'Address', input: 'lines' },
  countryCode: { label: 'Country', input: 'country' },
  region: { label: 'State or region', input: 'line', hint: 'Where tax depends on it.' },
  kind: {
    label: 'Buys as',
    input: [
      { value: '', label: 'Not specified' },
      { value: 'business', label: 'A business' },
      { value: 'consumer', label: 'A private person' },
    ],
  },
  vatNumber: { label: 'VAT number', input: 'line', hint: 'With its country, such as DE123456789.' },
  language: {
    label: 'Language of documents',
    input: [
      { value: '', label: 'Not specified: English' },
      { value: 'en', label: 'English' },
      { value: 'de', label: 'German' },
    ],
  },
  billingEmails: { label: 'Email addresses for invoices', input: 'line', hint: 'Several are separated by commas.' },
  needsPurchaseOrder: { label: 'Invoices need a purchase order number', input: 'flag' },
  buyerReference: { label: 'Your reference', input: 'line', hint: 'On each invoice, such as the routing number of an authority.' },
  invoiceFormat: {
    label: 'Invoices for programs',
    input: [
      { value: '', label: 'Inside the PDF (Factur-X)' },
      { value: 'xrechnung', label: 'XRechnung, as a file of its own' },
      { value: 'peppol', label: 'Peppol BIS, as a file of its own' },
    ],
  },
  electronicAddress: {
    label: 'Electronic address',
    input: 'line',
    hint: 'With its scheme, such as 0204:991-12345-06. Empty: the email address for invoices.',
  },
  currency: { label: 'Currency', input: 'line', hint: 'Three letters. Empty: the currency of the site.' },
  paymentDays: { label: 'Payment term in days', input: 'number', hint: 'Empty: the usual one.' },
  monthlyQuota: { label: 'Requests a month', input: 'number', hint: 'To the Data API, by all keys together.' },
  invoiceLimit: {
    label: 'Pays by invoice up to',
    input: 'cents',
    hint: 'As much may be unpaid at once, in the currency of the site, and access starts before payment. Empty: it pays before it gets access.',
  },
  vatEvidence: {
    label: 'Evidence for the VAT number',
    input: 'lines',
    hint: 'Counts while VIES does not answer, if the settings of Billing say so.',
  },
  notes: { label: 'Notes', input: 'lines', hint: 'Visible to staff only.' },
}

/** A fact that is missing stays as it is. `version` is the one that the editor has seen. */
export const organizationChange = z.extend(z.partial(z.object(ownFacts)), { version: z.int('The version is missing') })
export const staffOrganizationChange = z.extend(z.partial(z.object({ ...ownFacts, ...staffFacts })), {
  version: z.int('The version is missing'),
})

export type OrganizationChange = z.infer<typeof staffOrganizationChange>

const place = {
  id: z.string(),
  /** Null for a personal one. */
  reference: z.nullable(z.string()),
  isPersonal: z.boolean(),
  state: z.enum(organizationStates),
  version: z.number(),
  createdAt: z.string(),
}

/** An organization as its members see it. */
export const organization = z.object({
  ...place,
  ...ownFacts,
  vatState: z.enum(['valid', 'invalid', 'not_checked']),
  vatCheckedAt: z.nullable(z.string()),
  signInProvider: z.string(),
  monthlyQuota: z.number(),
  /** Requests to the Data API this month (UTC), by all keys together. */
  used: z.number(),
  role: z.enum(memberRoles),
})

export type Organization = z.infer<typeof organization>

/** Whether the requests of an organization are for data that its person moves with them. */
export const newOrganizationBody = z.object({
  name: organizationTitle,
  /** Moves the datasets, requests and API keys of the personal organization to the new one. */
  moveOwn: z._default(z.boolean('This must be true or false'), false),
})

export const currentOrganizationBody = z.object({ id: z.string('Choose an organization') })
