import { z } from 'zod/mini'
import { budgets, timeframes } from '#app/content/contact-options.ts'
import type { EnquiryField } from './contact.ts'
import { enquiryLimits } from './enquiry-limits.ts'
import { filledText, flag, money, owner, phone, searched, stage, tags, text, time } from './fact-value.ts'
import type { LeadEventKind } from './lead-event.ts'
import { leadFormLabels } from './lead-format.ts'

export type FactKind = 'text' | 'long' | 'tel' | 'email' | 'choice' | 'money' | 'moment' | 'flag' | 'stage' | 'owner' | 'tags'

/** Everything that the product does with a fact derives from its declaration. */
export type LeadFact = {
  label: string
  kind: FactKind
  /** As it is stored, for the API. */
  stored: z.ZodMiniType
  /** As staff give it. Without it, they cannot change it. */
  given?: z.ZodMiniType
  /** Of a text, in characters. */
  most?: number
  /** The labels of the stored values. */
  options?: readonly { value: string; label: string }[]
  /** Shown in place of a missing value of an enquiry. Without it, a missing value has no line. */
  missing?: string
  /** The record shows it above the facts. */
  isAbove?: true
  /** Offered where the lead is lost, or has a value. */
  isOfLost?: true
  /** Its column of the list: under which key people choose it, how wide it is, and the name of its order, which needs an index. */
  column?: false | { key?: string; width?: string; sort?: string }
  /** Its filter in the address: a part of the text, or the whole text. Of `search`, an index narrows the texts down. */
  filter?: { key: string; match: 'part' | 'whole'; isInSearch?: true }
  /** Its head in the list of the dashboard and in `/api/contacts.csv`. */
  csvHead?: string
  /** Its name in an import. */
  import?: string
  /** The entry of the timeline for a change, if it is not that of any fact. */
  event?: LeadEventKind
}

const fact = <const Fact extends LeadFact>(declared: Fact) => declared

export const NO_SERVICE_TYPE = 'Not specified'

/** What staff add to an enquiry: columns of `leads`, which only staff see. */
export const staffFacts = {
  stageId: fact({
    label: 'Stage',
    ...stage,
    column: { key: 'stage', width: '9.5rem', sort: 'stage' },
    import: 'stage',
    isAbove: true,
    event: 'stage_changed',
  }),
  ownerId: fact({
    label: 'Owner',
    ...owner,
    column: { key: 'owner', width: '7rem', sort: 'owner' },
    import: 'owner',
    event: 'owner_changed',
  }),
  valueCents: fact({ label: 'Value', ...money, column: { key: 'value', width: '6.5rem', sort: 'value' }, import: 'value' }),
  lostReason: fact({ label: 'Lost reason', ...text('The reason', 200), isOfLost: true, column: { width: '10rem' } }),
  nextStep: fact({ label: 'Next step', ...text('The next step', 200), import: 'nextStep' }),
  nextStepAt: fact({ label: 'Due', ...time, column: { width: '7rem', sort: 'nextStepAt' } }),
  tags: fact({ label: 'Tags', ...tags, import: 'tags', event: 'tags_changed' }),
  isStarred: fact({ label: 'Starred', ...flag('A star is on or off.'), isAbove: true, column: false }),
  phone: fact({ label: 'Phone', ...phone, column: { width: '9rem' }, filter: { key: 'phone', match: 'part' }, import: 'phone' }),
}

const asked = z.string()
const perhapsAsked = z.nullable(z.string())
const formOptions = Object.entries(leadFormLabels).map(([value, label]) => ({ value, label }))

/**
 * What the forms ask: columns of `contacts`, in the order in which staff see them. The staff email, the spam check, the person's own data and the check
 * of a repeated attempt derive from them as well. A field of the forms without a line here does not compile.
 */
export const enquiryFacts = {
  name: fact({
    label: 'Name',
    ...filledText('The name', enquiryLimits.name),
    column: false,
    filter: { key: 'name', match: 'part', isInSearch: true },
    csvHead: 'Name',
    import: 'name',
  }),
  email: fact({
    label: 'Email',
    kind: 'email',
    stored: asked,
    column: { sort: 'email' },
    filter: { key: 'email', match: 'part', isInSearch: true },
    csvHead: 'Email',
    import: 'email',
  }),
  company: fact({
    label: 'Company',
    ...text('The company', enquiryLimits.company),
    missing: '-',
    column: { sort: 'company' },
    filter: { key: 'company', match: 'part', isInSearch: true },
    csvHead: 'Company',
    import: 'company',
  }),
  country: fact({
    label: 'Country',
    ...filledText('The country', enquiryLimits.country),
    column: { width: '8rem', sort: 'country' },
    filter: { key: 'country', match: 'whole' },
    import: 'country',
  }),
  serviceType: fact({
    label: 'Service type',
    ...text('The service type', 200),
    missing: NO_SERVICE_TYPE,
    column: { key: 'service', sort: 'serviceType' },
    filter: { key: 'service', match: 'whole' },
    csvHead: 'Service Type',
    import: 'serviceType',
  }),
  problem: fact({ label: 'Problem', kind: 'text', most: enquiryLimits.problem, stored: asked, isAbove: true, import: 'problem' }),
  message: fact({ label: 'Message', kind: 'long', stored: asked, isAbove: true, csvHead: 'Message', import: 'message' }),
  budget: fact({ label: 'Budget', kind: 'choice', stored: perhapsAsked, options: budgets }),
  timeframe: fact({ label: 'Timeframe', kind: 'choice', stored: perhapsAsked, options: timeframes }),
  form: fact({ label: 'Source', kind: 'choice', stored: asked, options: formOptions, column: { width: '7rem' } }),
} satisfies Record<EnquiryField, LeadFact>

export const leadFacts = { ...staffFacts, ...enquiryFacts }

type LeadFacts = typeof leadFacts

export type LeadFactName = keyof LeadFacts
export type StaffFactName = keyof typeof staffFacts

const isFactName = (name: string): name is LeadFactName => name in leadFacts
const isStaffFact = (name: string): name is StaffFactName => name in staffFacts
const isEnquiryFact = (name: string): name is EnquiryField => name in enquiryFacts

/** In the order of the record. */
export const leadFactNames = Object.keys(leadFacts).filter(isFactName)
export const staffFactNames = leadFactNames.filter(isStaffFact)
export const enquiryFactNames = leadFactNames.filter(isEnquiryFact)

export const factOf = (name: LeadFactName): LeadFact => leadFacts[name]
export const findFact = (name: unknown) => leadFactNames.find((each) => each === name)
/** As the head of a column in a file: `Next Step`. */
export const headOf = ({ label }: LeadFact) => label.replaceAll(/ [a-z]/g, (letter) => letter.toUpperCase())

/** The stored values of facts, as a schema. */
export function storedOf<Facts extends Record<string, LeadFact>>(facts: Facts): { [Name in keyof Facts]: Facts[Name]['stored'] }
export function storedOf(facts: Record<string, LeadFact>): Record<string, z.ZodMiniType> {
  return Object.fromEntries(Object.entries(facts).map(([name, { stored }]) => [name, stored]))
}

type Given = { [Name in LeadFactName as LeadFacts[Name] extends { given: z.ZodMiniType } ? Name : never]: LeadFacts[Name] }
type Changed<Fact> = Fact extends { given: infer Schema extends z.ZodMiniType }
  ? z.ZodMiniOptional<z.ZodMiniObject<{ from: z.ZodMiniUnknown; to: Schema }>>
  : never

/** The facts that staff change. */
export type EditableFact = keyof Given

function changesOf(): { [Name in EditableFact]: Changed<LeadFacts[Name]> }
function changesOf(): Record<string, z.ZodMiniType> {
  const changes = leadFactNames.flatMap((name) => {
    const { given } = factOf(name)
    return given ? [[name, z.optional(z.object({ from: z.unknown(), to: given }))] as const] : []
  })
  return Object.fromEntries(changes)
}

/** Each changed fact with the value that it replaces: the server refuses to overwrite another one. */
export const leadChanges = z.object({ changes: z.strictObject(changesOf()) })

export type LeadChanges = z.infer<typeof leadChanges>['changes']

export const isEditable = (name: LeadFactName): name is EditableFact => factOf(name).given !== undefined

type FilterKey = {
  [Name in LeadFactName]: LeadFacts[Name] extends { filter: { key: infer Key extends string } } ? Key : never
}[LeadFactName]

/** The name of a fact in an import. */
export type ImportedFact = {
  [Name in LeadFactName]: LeadFacts[Name] extends { import: infer Field extends string } ? Field : never
}[LeadFactName]

/** The facts that have a filter of their own. */
export const filteredFacts = leadFactNames.flatMap((name) => {
  const { label, filter } = factOf(name)
  return filter ? [{ name, label, ...filter }] : []
})

function filtersOf(): Record<FilterKey, ReturnType<typeof searched>>
function filtersOf(): Record<string, ReturnType<typeof searched>> {
  const filters = filteredFacts.map(({ key, label, match }) => [
    key,
    searched(`Filter by ${match === 'part' ? 'a part of the' : 'one'} ${label.toLowerCase()}.`),
  ])
  return Object.fromEntries(filters)
}

export const factFilters = filtersOf()

/** An enquiry as it is stored, for the API and the staff email. */
export const storedEnquiry = z.object(storedOf(enquiryFacts))

export type StoredEnquiry = z.infer<typeof storedEnquiry>

/** An enquiry as it is stored: a missing field is `null`. */
export function asStoredEnquiry(enquiry: Partial<Record<EnquiryField, unknown>>): StoredEnquiry {
  return storedEnquiry.parse(Object.fromEntries(enquiryFactNames.map((name) => [name, enquiry[name] ?? null])))
}

const storedStaffFacts = z.object(storedOf(staffFacts))

export type StaffFacts = z.infer<typeof storedStaffFacts>

/** The facts of a lead that staff add to it: what is not given is empty. */
export function asStaffFacts(given: Partial<Record<StaffFactName, unknown>> & { stageId: number }): StaffFacts {
  return storedStaffFacts.parse(Object.fromEntries(staffFactNames.map((name) => [name, given[name] ?? emptyOf(leadFacts[name].kind)])))
}

function emptyOf(kind: FactKind) {
  if (kind === 'tags') return []
  return kind === 'flag' ? false : null
}

/** A value as people read it: the label of a choice in place of the choice. Of stages and owners, only the page has the names. */
export function factText({ options, kind }: LeadFact, value: unknown): string {
  if (kind === 'tags' && Array.isArray(value)) return value.join(', ')
  return options?.find((option) => option.value === value)?.label ?? (typeof value === 'string' ? value : '')
}

type EnquiryLine = { name: EnquiryField; label: string; value: string | undefined }

/** An enquiry in lines, as staff read it. Its name, address and message have a place of their own. */
export function enquiryLines(enquiry: StoredEnquiry): EnquiryLine[] {
  return enquiryFactNames
    .filter((name) => name !== 'name' && name !== 'email' && name !== 'message')
    .map((name) => ({ name, label: leadFacts[name].label, value: factText(leadFacts[name], enquiry[name]) || undefined }))
}
